import { calledOf } from '@onward/contract/pure'
import { ListRestart } from 'lucide-react'
import { type ReactNode, use, useState } from 'react'
import { areaA } from '../../api/doors.ts'
import { callFunction } from '../../api/endpoints.ts'
import { useMay } from '../../api/me.ts'
import { OnwardError } from '../../api/request.ts'
import { send } from '../../api/send.ts'
import { Button } from '../../ui/button.tsx'
import { Combobox, type ComboOption } from '../../ui/combobox.tsx'
import { CallerContext } from './caller.ts'
import { type Field, valueAt } from './fields.ts'
import styles from './playground.module.css'
import type { Cursor } from './use-run.ts'
import { PLAY } from './words.ts'

const { form: words } = PLAY

type Loaded = {
  /** What the choices depend on. */
  readonly of: string
  readonly options: readonly ComboOption[]
  readonly cursor: Cursor | null
}

/** A text field whose choices the app knows. They are loaded on request, because each page of them is a call that counts a task. */
export function SourceField({ field, value, onChange }: { field: Field; value: string; onChange(text: string): void }): ReactNode {
  const { appKey, user, args } = use(CallerContext)
  const { why } = useMay('developer')
  const [loaded, setLoaded] = useState<Loaded | undefined>(undefined)
  const [state, setState] = useState<'idle' | 'loading' | { problem: string }>('idle')
  const [search, setSearch] = useState('')
  const { source } = field
  if (source === undefined) return <Combobox free shown={value} options={[]} none="" onSearch={() => {}} onChoose={onChange} />
  const open = source.dependsOn.filter((name) => args[name] === undefined)
  const variables = Object.fromEntries(source.dependsOn.map((name) => [name, args[name]]))
  const of = JSON.stringify([appKey, user, source.fn, variables])
  const known = loaded?.of === of ? loaded : undefined
  const load = async () => {
    setState('loading')
    try {
      const called = await send(areaA(appKey, user), callFunction, {
        params: { function_name: source.fn },
        body: { ...source.body, _variables: variables, _cursor: known?.cursor ?? null },
      })
      const { output, _cursor: cursor } = calledOf(called)
      const items: readonly unknown[] = Array.isArray(output) ? output : []
      const added = items.flatMap((item) => {
        const id = valueAt(item, source.idPath)
        return id === undefined || id === null ? [] : [{ value: String(id), label: String(valueAt(item, source.textPath) ?? id) }]
      })
      setLoaded({ of, options: [...(known?.options ?? []), ...added], cursor: cursor ?? null })
      setState(Array.isArray(output) ? (added.length === 0 ? { problem: words.noChoices } : 'idle') : { problem: words.loadFailed })
    } catch (err) {
      if (!(err instanceof OnwardError)) throw err
      setState({ problem: `${words.loadFailed} ${err.message}` })
    }
  }
  const options = known?.options ?? []
  const wanted = search.toLowerCase()
  const found = options.filter((option) => `${option.label}\n${option.value}`.toLowerCase().includes(wanted))
  const chosen = options.find((option) => option.value === value)
  const more = known !== undefined && known.cursor !== null
  return (
    <div className={styles.source}>
      <div className={styles.sourceRow}>
        <Combobox
          free
          shown={chosen === undefined || chosen.label === value ? value : `${chosen.label} (${value})`}
          options={found.map((option) => (option.label === option.value ? option : { ...option, note: option.value }))}
          none={known === undefined ? words.load : words.noChoices}
          onSearch={setSearch}
          onChoose={(text) => onChange(chosen !== undefined && text === `${chosen.label} (${value})` ? value : text)}
        />
        {(known === undefined || more) && (
          <Button
            icon={<ListRestart />}
            busy={state === 'loading'}
            why={why ?? (user === '' ? PLAY.run.needsUser : open.length > 0 ? words.loadAfter(open.join(', ')) : undefined)}
            onClick={() => void load()}
          >
            {more ? words.loadMore : words.load}
          </Button>
        )}
      </div>
      {known === undefined && <p className={styles.note}>{words.loadCost(source.fn)}</p>}
      {typeof state === 'object' && (
        <p className={styles.problem} role="alert">
          {state.problem}
        </p>
      )}
    </div>
  )
}
