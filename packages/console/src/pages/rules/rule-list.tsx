import { ArrowDown, ArrowUp, ChevronRight, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { Badge, Tag } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Empty } from '../../ui/empty.tsx'
import { Row, Stack } from '../../ui/page.tsx'
import { RuleForm } from './rule-form.tsx'
import { summaryOf } from './rule-text.ts'
import styles from './rules.module.css'
import type { EditedRules } from './use-rules.ts'
import { RULES } from './words.ts'

export const RESULT_TONES = { allow: 'good', ask: 'warn', deny: 'bad' } as const
const MAX_RULES = 100
const ADD_ID = 'add-rule'

type ListProps = {
  edited: EditedRules
  /** What the service says about rules: `rules[2].functions[0]: is not known here`. */
  problems: readonly string[]
}

/** The rules in their order. Each opens to be changed; buttons move it. The built-in rule stands at the end. */
export function RuleList({ edited, problems }: ListProps): ReactNode {
  const { items } = edited
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [said, setSaid] = useState('')
  // A row that moves in the page loses the focus, and a row that goes away takes it along.
  const focus = useRef<string | undefined>(undefined)
  useLayoutEffect(() => {
    if (focus.current !== undefined) document.getElementById(focus.current)?.focus()
    focus.current = undefined
  })
  const toggle = (id: number) =>
    setOpen((before) => {
      const after = new Set(before)
      if (!after.delete(id)) after.add(id)
      return after
    })
  const move = (id: number, at: number, by: 1 | -1) => {
    edited.move(id, by)
    focus.current = `rule-${id}-${by === 1 ? 'down' : 'up'}`
    setSaid(RULES.moved(at + 1 + by, items.length))
  }
  const remove = (id: number, at: number) => {
    const next = items[at + 1] ?? items[at - 1]
    edited.remove(id)
    focus.current = next === undefined ? ADD_ID : `rule-${next.id}`
    setSaid(RULES.removed)
  }
  const add = () => {
    const id = edited.add()
    toggle(id)
    focus.current = `rule-${id}`
  }
  return (
    <Stack gap={3}>
      {items.length === 0 && <Empty title={RULES.none} help={RULES.noneHelp} />}
      <ol aria-label={RULES.list} className={styles.list}>
        {items.map(({ id, rule }, at) => {
          const isOpen = open.has(id)
          const place = at + 1
          return (
            <li key={id} className={styles.rule}>
              <div className={styles.head}>
                <span className={styles.place} aria-hidden="true">
                  {place}
                </span>
                <button id={`rule-${id}`} type="button" className={styles.toggle} aria-expanded={isOpen} onClick={() => toggle(id)}>
                  <ChevronRight aria-hidden="true" />
                  <span className="hidden">{RULES.rule(place)}: </span>
                  <Badge tone={RESULT_TONES[rule.result]} text={RULES.results[rule.result]} />
                  <span className={styles.summary}>{summaryOf(rule)}</span>
                </button>
                <span className={styles.buttons}>
                  <Button
                    id={`rule-${id}-up`}
                    tone="quiet"
                    size="small"
                    icon={<ArrowUp />}
                    aria-label={RULES.up(place)}
                    why={at === 0 ? RULES.first : undefined}
                    onClick={() => move(id, at, -1)}
                  />
                  <Button
                    id={`rule-${id}-down`}
                    tone="quiet"
                    size="small"
                    icon={<ArrowDown />}
                    aria-label={RULES.down(place)}
                    why={at === items.length - 1 ? RULES.last : undefined}
                    onClick={() => move(id, at, 1)}
                  />
                  <Button tone="quiet" size="small" icon={<Trash2 />} aria-label={RULES.remove(place)} onClick={() => remove(id, at)} />
                </span>
              </div>
              {problems
                .filter((problem) => problem.startsWith(`rules[${at}]`))
                .map((problem) => (
                  <p key={problem} role="alert" className={styles.problem}>
                    {problem}
                  </p>
                ))}
              {isOpen && (
                <RuleForm
                  rule={rule}
                  onChange={(next) => edited.change(id, next)}
                  onUnfinished={(field, unfinished) => edited.setUnfinished(`${id} ${field}`, unfinished)}
                />
              )}
            </li>
          )
        })}
        <li className={cx(styles.rule, styles.builtIn)}>
          <div className={styles.head}>
            <span className={styles.summary}>{RULES.builtIn}</span>
            <Tag>{RULES.builtInTag}</Tag>
            <p className={styles.help}>{RULES.builtInHelp}</p>
          </div>
        </li>
      </ol>
      <p className="hidden" role="status">
        {said}
      </p>
      <Row>
        <Button id={ADD_ID} icon={<Plus />} why={items.length >= MAX_RULES ? RULES.most : undefined} onClick={add}>
          {RULES.add}
        </Button>
      </Row>
    </Stack>
  )
}
