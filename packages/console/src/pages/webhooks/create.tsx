import type { createSubscription as Contract, EventKind, ResponseOf } from '@onward/contract'
import { type ReactNode, useId, useState } from 'react'
import { areaB } from '../../api/doors.ts'
import { createSubscription, listSubscriptions } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { useRefreshList } from '../../list/refresh-list.ts'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { useGo } from '../../shell/links.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Checkbox, Field, Input } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Row } from '../../ui/page.tsx'
import { shortUrl } from './states.ts'
import { Verify } from './verify.tsx'
import styles from './webhooks.module.css'
import { TEXT } from './words.ts'

const TEXTS = TEXT.create
/** Fields that show what is wrong with them. */
const FIELDS: readonly string[] = ['callback_url', 'events']
const USUAL = [50, 80, 90, 100]
const KINDS = Object.keys(TEXT.kinds) as EventKind[]

/** Creates a subscription, shows its secret once, and then leads to its page. */
export function CreateSubscription({ onClose }: { onClose(): void }): ReactNode {
  const door = areaB(useWorkspaceId())
  const go = useGo()
  const refreshList = useRefreshList()
  const { why } = useMay('developer')
  const { run, running, error, fields } = useChange(door, createSubscription, { refresh: [listSubscriptions] })
  const [url, setUrl] = useState('')
  const [levels, setLevels] = useState<readonly number[]>([80, 100])
  const [kinds, setKinds] = useState<readonly EventKind[]>([])
  const [missing, setMissing] = useState<'url' | 'events' | undefined>(undefined)
  const [made, setMade] = useState<ResponseOf<typeof Contract> | undefined>(undefined)
  const submit = async () => {
    const events = [...levels.map((level) => `user_tasks_limit_${level}`), ...kinds]
    const lacks = url.trim() === '' ? 'url' : events.length === 0 ? 'events' : undefined
    setMissing(lacks)
    if (lacks !== undefined) return
    setMade(await run({ body: { events, callback_url: url.trim() } }))
  }
  if (made !== undefined) {
    return (
      <SecretOnce
        label={TEXTS.secret(shortUrl(url.trim()))}
        load={() => Promise.resolve(made.signing_secret)}
        onClose={() => {
          refreshList('subscriptions')
          go({ page: 'webhooks', path: made.subscription_id }, 'replace')
        }}
      >
        <p>{TEXTS.secretHelp}</p>
        <Verify />
      </SecretOnce>
    )
  }
  return (
    <FormDialog title={TEXTS.title} action={TEXTS.save} busy={running} why={why} noValidate submit={submit} onClose={onClose}>
      <Field label={TEXTS.url} help={TEXTS.urlHelp} error={missing === 'url' ? TEXTS.noUrl : problemOf(fields.callback_url)}>
        <Input
          mono
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder={TEXTS.urlPlaceholder}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
      </Field>
      <LevelsField
        levels={levels}
        onChange={setLevels}
        error={missing === 'events' && levels.length + kinds.length === 0 ? TEXTS.noEvent : fields.events}
      />
      <KindsField kinds={kinds} onChange={setKinds} />
      {error !== undefined && !Object.keys(fields).some((name) => FIELDS.includes(name)) && <Notice tone="bad">{error.message}</Notice>}
    </FormDialog>
  )
}

/** The server says `must be https`; here it is a full sentence. */
function problemOf(problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `The address ${problem}.`
}

function KindsField({ kinds, onChange }: { kinds: readonly EventKind[]; onChange(kinds: readonly EventKind[]): void }): ReactNode {
  return (
    <fieldset className={styles.levelsField}>
      <legend>{TEXTS.kinds}</legend>
      <div className={styles.kinds}>
        {KINDS.map((kind) => (
          <Checkbox
            key={kind}
            label={TEXT.kinds[kind]}
            checked={kinds.includes(kind)}
            onChange={(event) => onChange(KINDS.filter((one) => (one === kind ? event.target.checked : kinds.includes(one))))}
          />
        ))}
      </div>
    </fieldset>
  )
}

type LevelsProps = { levels: readonly number[]; error: string | undefined; onChange(levels: readonly number[]): void }

/** The levels that most use, and any other. */
function LevelsField({ levels, error, onChange }: LevelsProps): ReactNode {
  const [other, setOther] = useState('')
  const [wrong, setWrong] = useState(false)
  const errorId = useId()
  const shown = [...new Set([...USUAL, ...levels])].sort((a, b) => a - b)
  const turn = (level: number, on: boolean) =>
    onChange(on ? [...levels, level].sort((a, b) => a - b) : levels.filter((one) => one !== level))
  const add = () => {
    const level = Number(other)
    const valid = /^\d{1,3}$/.test(other.trim()) && level >= 1 && level <= 100
    setWrong(!valid)
    if (!valid) return
    if (!levels.includes(level)) turn(level, true)
    setOther('')
  }
  return (
    <fieldset className={styles.levelsField} aria-describedby={error === undefined ? undefined : errorId}>
      <legend>{TEXTS.levels}</legend>
      <Row gap={4}>
        {shown.map((level) => (
          <Checkbox
            key={level}
            label={`${level}%`}
            checked={levels.includes(level)}
            onChange={(event) => turn(level, event.target.checked)}
          />
        ))}
      </Row>
      {error !== undefined && (
        <p id={errorId} role="alert" className={styles.error}>
          {error}
        </p>
      )}
      <p className={styles.help}>{TEXTS.levelsHelp}</p>
      <div className={styles.otherLevel}>
        <Field label={TEXTS.other} error={wrong ? TEXTS.notALevel : undefined}>
          <Input
            inputMode="numeric"
            autoComplete="off"
            placeholder="95"
            value={other}
            onChange={(event) => setOther(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || other.trim() === '') return
              event.preventDefault()
              add()
            }}
          />
        </Field>
        <Button onClick={add}>{TEXTS.add}</Button>
      </div>
    </fieldset>
  )
}
