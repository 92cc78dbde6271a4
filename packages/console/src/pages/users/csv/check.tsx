import type { ReactNode } from 'react'
import { PageLink } from '../../../shell/links.tsx'
import { formatCount, formatNumber } from '../../../text/format.ts'
import { Progress } from '../../../ui/bar.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Empty, Notice } from '../../../ui/empty.tsx'
import { Row, Stack } from '../../../ui/page.tsx'
import { Failure, Group } from '../../../ui/section.tsx'
import { PreviewFigures } from '../preview-figures.tsx'
import { WORDS } from '../words.ts'
import { Changes } from './changes.tsx'
import type { ReadLimits } from './read-limits.ts'
import { type Apply, useApply } from './use-apply.ts'
import { type FilePreview as Compared, useFilePreview } from './use-preview.ts'

type Props = {
  appKey: string
  applicationName: string
  read: ReadLimits
  /** Why the person may not set limits. */
  why: string | undefined
  onBack(): void
}

const { csv: words } = WORDS

const countOf = (count: number) => formatCount(count, words.limits.one, words.limits.other)

/** What a file would do, what is wrong in it, and the button that does it. */
export function Check({ appKey, applicationName, read, why, onBack }: Props): ReactNode {
  const { limits, problems } = read
  const apply = useApply(appKey, limits)
  const preview = useFilePreview(appKey, limits)
  return (
    <Stack gap={6}>
      {problems.length > 0 && (
        <Notice tone="warn" title={words.problems(formatCount(problems.length, words.lines.one, words.lines.other))}>
          {words.problemsAbout}
        </Notice>
      )}
      {limits.length === 0 ? (
        <Empty title={words.nothing} help={words.nothingHelp} action={<Button onClick={onBack}>{words.again}</Button>} />
      ) : (
        <Group title={words.preview} about={words.previewOf(countOf(limits.length), applicationName)}>
          <FilePreview preview={preview} all={limits.length} />
          <Running apply={apply} all={limits.length} />
          <Buttons apply={apply} all={limits.length} appKey={appKey} why={why} onBack={onBack} />
        </Group>
      )}
      <Changes read={read} current={preview.data?.current ?? []} />
    </Stack>
  )
}

function FilePreview({ preview: { data, error, compared, retry }, all }: { preview: Compared; all: number }): ReactNode {
  if (error !== undefined) return <Failure title={words.preview} error={error} retry={retry} />
  if (data !== undefined) return <PreviewFigures preview={data} />
  return (
    <div role="status">
      <Stack gap={2}>
        <p>{words.previewing}</p>
        <Progress done={compared} total={all} label={words.previewing} />
      </Stack>
    </div>
  )
}

function Running({ apply: { state, set, waiting, error }, all }: { apply: Apply; all: number }): ReactNode {
  const left = countOf(all - set)
  if (state === 'ready') return null
  if (state === 'done') return <Notice tone="good">{words.done(countOf(set))}</Notice>
  if (state === 'stopped') return <Notice tone="warn">{words.stopped(countOf(set), left)}</Notice>
  if (state === 'failed') {
    return (
      <Notice tone="bad" title={words.failed(countOf(set), left)}>
        {error?.message}
      </Notice>
    )
  }
  return (
    <div role="status">
      <Stack gap={2}>
        <Progress done={set} total={all} label={words.applying} />
        <p>
          {words.progress(formatNumber(set), formatNumber(all))}
          {'. '}
          {waiting ? words.waiting : state === 'stops' ? words.stopping : words.stay}
        </p>
      </Stack>
    </div>
  )
}

type ButtonsProps = Pick<Props, 'appKey' | 'why' | 'onBack'> & { apply: Apply; all: number }

function Buttons({ apply, all, appKey, why, onBack }: ButtonsProps): ReactNode {
  const { state, set } = apply
  const going = state === 'runs' || state === 'stops'
  return (
    <Row gap={2}>
      {going ? (
        <Button busy={state === 'stops'} onClick={apply.stop}>
          {words.stop}
        </Button>
      ) : (
        <Button onClick={onBack}>{words.again}</Button>
      )}
      {state === 'done' && (
        <PageLink page="users" search={{ app_key: appKey }} className={buttonClass()}>
          {words.toUsers}
        </PageLink>
      )}
      {!going && state !== 'done' && (
        <Button tone="accent" why={why} onClick={apply.run}>
          {state === 'ready' ? words.apply(countOf(all)) : words.goOn(countOf(all - set))}
        </Button>
      )}
    </Row>
  )
}
