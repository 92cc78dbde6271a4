import { type ReactNode, useState } from 'react'
import { insights } from '../../api/doors.ts'
import { createReplay, listReplays, previewReplay } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { useGo } from '../../shell/links.tsx'
import { formatCount } from '../../text/format.ts'
import { Notice } from '../../ui/empty.tsx'
import { Choice, Field, Input } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Failure } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'
import { TEXT } from './words.ts'

const TEXTS = TEXT.replay
const countOf = (deliveries: number) => formatCount(deliveries, TEXTS.delivery.one, TEXTS.delivery.other)

type Props = {
  subscriptionId: string
  /** The moment from which failed deliveries are sent again. */
  since: string
  onClose(): void
}

/** Sends everything again that failed since a moment. Says how many deliveries that are before it starts. */
export function ReplaySince({ subscriptionId, since, onClose }: Props): ReactNode {
  const workspaceId = useWorkspaceId()
  const go = useGo()
  const { why } = useMay('developer')
  const params = { workspace_id: workspaceId }
  const [scope, setScope] = useState<'one' | 'all'>('one')
  const [opened] = useState(() => new Date())
  const [from, setFrom] = useState(() => localOf(new Date(since)))
  const at = new Date(from)
  const valid = !Number.isNaN(at.getTime()) && at < opened
  const subscription = scope === 'one' ? { subscription_id: subscriptionId } : {}
  const query = { ...subscription, since: valid ? at.toISOString() : '', until: opened.toISOString() }
  const preview = useRead(insights, previewReplay, { params, query }, { enabled: valid })
  const { run, running, error } = useChange(insights, createReplay, { refresh: [listReplays] })
  const found = valid ? preview.data : undefined
  const nothing = found?.deliveries === 0
  const start = async () => {
    if (found === undefined) return
    const made = await run({ params, body: { ...subscription, since: found.since, until: found.until } })
    if (made !== undefined) go({ page: 'webhooks', path: `replays/${made.replay_id}` })
  }
  return (
    <FormDialog
      title={TEXTS.title}
      action={found === undefined || nothing ? TEXT.delivery.again : TEXTS.start(countOf(found.deliveries))}
      busy={running || (valid && found === undefined && preview.error === undefined)}
      why={why ?? (nothing ? TEXTS.none : valid ? undefined : TEXTS.badTime)}
      noValidate
      submit={start}
      onClose={onClose}
    >
      <Field label={TEXTS.since} help={TEXTS.sinceHelp} error={valid ? undefined : TEXTS.badTime}>
        <Input type="datetime-local" step={1} value={from} onChange={(event) => setFrom(event.target.value)} />
      </Field>
      <Choice
        label={TEXTS.scope}
        value={scope}
        choices={[
          { value: 'one', label: TEXTS.scopes.one },
          { value: 'all', label: TEXTS.scopes.all },
        ]}
        onChange={(value) => setScope(value)}
      />
      <div aria-live="polite">
        {preview.error !== undefined && valid ? (
          <Failure title={TEXTS.title} error={preview.error} busy={preview.loading} retry={preview.retry} />
        ) : found === undefined ? (
          valid && <p>{TEXTS.counting}</p>
        ) : nothing ? (
          <Notice tone="info" title={TEXTS.none}>
            {TEXTS.noneHelp}
          </Notice>
        ) : (
          <p>
            <strong>{TEXTS.sentence(countOf(found.deliveries), scope === 'one' ? TEXTS.toOne : TEXTS.toAll)}</strong>{' '}
            <Time at={found.since} as="exact" /> {TEXTS.until} <Time at={found.until} as="exact" />. {TEXTS.willSend}
          </p>
        )}
      </div>
      {error !== undefined && <Notice tone="bad">{error.message}</Notice>}
    </FormDialog>
  )
}

/** A time as an input of the type `datetime-local` has it, rounded down to the second. */
function localOf(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}
