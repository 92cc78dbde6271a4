import { Download, EllipsisVertical, RefreshCw, Rows2, Rows3 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formatCount } from '../text/format.ts'
import { WORDS } from '../text/words.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Menu } from '../ui/popover.tsx'
import { usePreference } from '../ui/preference.ts'
import { ExportDialog } from './export-dialog.tsx'
import type { ListOf } from './list-of.ts'
import styles from './list-page.module.css'

type ToolsProps<Row, V> = {
  list: ListOf<Row, V>
  values: V
  live: boolean
  failing: boolean
  /** Newer rows that are not shown yet. */
  waiting: number
  refreshing: boolean
  onLive(live: boolean): void
  onShowWaiting(): void
  onRefresh(): void
}

/** Live mode or refresh, density and export, at the end of the filter bar. */
export function ListTools<Row, V>(props: ToolsProps<Row, V>): ReactNode {
  const { list, values, live, failing, waiting, refreshing, onLive, onShowWaiting, onRefresh } = props
  const [density, setDensity] = usePreference('density')
  const [exporting, setExporting] = useState(false)
  const compact = density === 'compact'
  const paused = WORDS.list.paused(formatCount(waiting, WORDS.list.rows.one, WORDS.list.rows.other))
  return (
    <>
      {list.newer === undefined ? (
        <Button
          tone="quiet"
          size="small"
          icon={<RefreshCw />}
          busy={refreshing}
          aria-label={WORDS.list.refresh}
          title={WORDS.list.refresh}
          onClick={onRefresh}
        />
      ) : waiting > 0 ? (
        <Button size="small" title={WORDS.list.showNew} onClick={onShowWaiting}>
          {paused}
        </Button>
      ) : (
        <Button
          tone="quiet"
          size="small"
          aria-pressed={live}
          title={WORDS.list.liveHelp}
          icon={<span className={cx(styles.liveDot, live && styles.isLive, failing && styles.isFailing)} />}
          onClick={() => onLive(!live)}
        >
          {failing && live ? WORDS.list.offline : WORDS.list.live}
        </Button>
      )}
      <span className="hidden" role="status">
        {waiting > 0 ? paused : failing && live ? WORDS.list.offline : ''}
      </span>
      <Menu
        label={WORDS.common.more}
        align="end"
        opener={(opener) => <Button {...opener} tone="quiet" size="small" icon={<EllipsisVertical />} aria-label={WORDS.common.more} />}
        items={[
          { label: WORDS.list.refresh, icon: <RefreshCw />, run: onRefresh },
          {
            label: compact ? WORDS.list.roomy : WORDS.list.compact,
            icon: compact ? <Rows2 /> : <Rows3 />,
            run: () => setDensity(compact ? 'normal' : 'compact'),
          },
          { label: `${WORDS.list.export} …`, icon: <Download />, run: () => setExporting(true) },
        ]}
      />
      {exporting && <ExportDialog list={list} values={values} onClose={() => setExporting(false)} />}
    </>
  )
}
