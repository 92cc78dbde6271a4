import { writeJson } from '@onward/json'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronRight, ChevronsDownUp, ChevronsUpDown, Download, Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react'
import { formatBytes } from '../text/format.ts'
import { WORDS } from '../text/words.ts'
import { Button } from './button.tsx'
import code from './code.module.css'
import { Copy } from './copy-button.tsx'
import { cx } from './cx.ts'
import { Input } from './field.tsx'
import { type JsonRow, jsonRows, searchRows } from './json-rows.ts'
import styles from './json-view.module.css'

/** Larger values are only offered for download. */
const MAX_CHARACTERS = 5_000_000
/** Smaller values need no search. */
const SEARCH_FROM = 12
const ROW = 22

type JsonViewProps = { value: unknown; label: string /** How many levels are open at first. */; open?: number }

/** JSON as a tree, drawn line by line, so that large values do not stop the page. Arrow keys move, open and close. */
export function JsonView({ value, label, open = 2 }: JsonViewProps): ReactNode {
  const text = useMemo(() => printed(value), [value])
  if (text.length > MAX_CHARACTERS) {
    return (
      <div className={cx(code.code, styles.large)}>
        <p>{WORDS.json.tooLarge(formatBytes(text.length))}</p>
        <Button size="small" icon={<Download />} onClick={() => download(text, label)}>
          {WORDS.json.download}
        </Button>
      </div>
    )
  }
  return <Tree value={value} text={text} label={label} open={open} />
}

function Tree({ value, text, label, open }: { value: unknown; text: string; label: string; open: number }): ReactNode {
  const id = useId()
  const scroll = useRef<HTMLDivElement>(null)
  const [search, setSearch] = useState('')
  const [level, setLevel] = useState(open)
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState(0)
  const rows = useMemo(
    () => (search === '' ? jsonRows(value, (path, depth) => depth < level !== turned.has(path)) : searchRows(value, search)),
    [value, search, level, turned],
  )
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => scroll.current, estimateSize: () => ROW, overscan: 12 })
  const at = Math.min(current, rows.length - 1)
  const row = rows[at]
  const turn = ({ path }: JsonRow) =>
    setTurned((before) => {
      const after = new Set(before)
      if (!after.delete(path)) after.add(path)
      return after
    })
  const move = (to: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, to))
    setCurrent(next)
    virtual.scrollToIndex(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || row === undefined) return
    const parent = rows.findLastIndex(({ depth }, index) => index < at && depth < row.depth)
    switch (event.key) {
      case 'ArrowDown':
        move(at + 1)
        break
      case 'ArrowUp':
        move(at - 1)
        break
      case 'Home':
        move(0)
        break
      case 'End':
        move(rows.length - 1)
        break
      case 'ArrowRight':
        if (row.size > 0 && !row.open) turn(row)
        else move(at + 1)
        break
      case 'ArrowLeft':
        if (row.open) turn(row)
        else move(parent)
        break
      case 'Enter':
        if (row.size > 0) turn(row)
        break
      default:
        return
    }
    event.preventDefault()
  }
  const expand = (to: number) => {
    setLevel(to)
    setTurned(new Set())
  }
  return (
    <div className={code.code}>
      <div className={code.bar}>
        {text.split('\n', SEARCH_FROM).length === SEARCH_FROM ? (
          <Input
            icon={<Search />}
            type="search"
            aria-label={WORDS.json.search}
            placeholder={WORDS.json.search}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            className={styles.search}
          />
        ) : (
          <span className={code.label}>{label}</span>
        )}
        <div className={styles.buttons}>
          {row !== undefined && at > 0 && <Copy text={row.path} what={WORDS.json.copyPath} label={WORDS.json.copyPath} />}
          <Button
            tone="quiet"
            size="small"
            icon={level > open ? <ChevronsDownUp /> : <ChevronsUpDown />}
            aria-label={level > open ? WORDS.json.collapseAll : WORDS.json.expandAll}
            title={level > open ? WORDS.json.collapseAll : WORDS.json.expandAll}
            onClick={() => expand(level > open ? open : Number.POSITIVE_INFINITY)}
          />
          <Copy text={row === undefined || at === 0 ? text : textOf(row.value)} what={row === undefined || at === 0 ? label : row.path} />
        </div>
      </div>
      <div
        ref={scroll}
        role="tree"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={row === undefined ? undefined : `${id}${at}`}
        className={cx(code.pane, styles.scroll)}
        onKeyDown={onKeyDown}
      >
        <div style={{ height: virtual.getTotalSize() }} className={styles.all} role="presentation">
          {virtual.getVirtualItems().map(({ index, start }) => {
            const one = rows[index]
            return (
              one !== undefined && (
                <Line
                  key={one.path}
                  id={`${id}${index}`}
                  row={one}
                  top={start}
                  current={index === at}
                  onPress={() => {
                    setCurrent(index)
                    if (one.size > 0 && search === '') turn(one)
                  }}
                />
              )
            )
          })}
        </div>
      </div>
    </div>
  )
}

type LineProps = { id: string; row: JsonRow; top: number; current: boolean; onPress(): void }

function Line({ id, row, top, current, onPress }: LineProps): ReactNode {
  const { name, depth, size, open, kind } = row
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus
    <div
      id={id}
      role="treeitem"
      aria-level={depth + 1}
      aria-expanded={size > 0 ? open : undefined}
      aria-selected={current}
      className={cx(styles.line, current && styles.current)}
      style={{ transform: `translateY(${top}px)`, paddingLeft: 10 + depth * 14 }}
      onClick={onPress}
    >
      <ChevronRight aria-hidden="true" className={cx(styles.arrow, open && styles.open, size === 0 && styles.leaf)} />
      {name !== undefined && <span className={styles.name}>{name}: </span>}
      <span className={styles[kind]}>{shown(row)}</span>
    </div>
  )
}

function shown({ kind, value, size, open }: JsonRow): string {
  if (kind === 'object') return open ? '{' : size === 0 ? '{}' : `{ ${WORDS.json.keys(size)} }`
  if (kind === 'array') return open ? '[' : size === 0 ? '[]' : `[ ${WORDS.json.items(size)} ]`
  const text = printed(value, 0)
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : printed(value)
}

/** `undefined` has no JSON. */
function printed(value: unknown, indent = 2): string {
  return value === undefined ? 'null' : writeJson(value, indent)
}

function download(text: string, label: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: `${label.toLowerCase().replace(/\W+/g, '-')}.json` })
  link.click()
  URL.revokeObjectURL(url)
}
