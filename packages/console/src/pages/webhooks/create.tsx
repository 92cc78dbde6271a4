import type { createSubscription as Contract, ResponseOf } from '@onward/contract'
import { type ReactNode, useState } from 'react'
import { areaB } from '../../api/doors.ts'
import { createSubscription, listSubscriptions } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { useRefreshList } from '../../list/refresh-list.ts'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { useGo } from '../../shell/links.tsx'
import { Notice } from '../../ui/empty.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { addressProblem, EventsField, UrlField } from './fields.tsx'
import { shortUrl } from './states.ts'
import { Verify } from './verify.tsx'
import { TEXT } from './words.ts'

const TEXTS = TEXT.create
/** Fields that show what is wrong with them. */
const FIELDS: readonly string[] = ['callback_url', 'events']
const USUAL: readonly string[] = ['user_tasks_limit_80', 'user_tasks_limit_100']

/** Creates a subscription, shows its secret once, and then leads to its page. */
export function CreateSubscription({ onClose }: { onClose(): void }): ReactNode {
  const door = areaB(useWorkspaceId())
  const go = useGo()
  const refreshList = useRefreshList()
  const { why } = useMay('developer')
  const { run, running, error, fields } = useChange(door, createSubscription, { refresh: [listSubscriptions] })
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState(USUAL)
  const [missing, setMissing] = useState<'url' | 'events' | undefined>(undefined)
  const [made, setMade] = useState<ResponseOf<typeof Contract> | undefined>(undefined)
  const submit = async () => {
    const lacks = url.trim() === '' ? 'url' : events.length === 0 ? 'events' : undefined
    setMissing(lacks)
    if (lacks !== undefined) return
    setMade(await run({ body: { events: [...events], callback_url: url.trim() } }))
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
      <UrlField url={url} onChange={setUrl} error={missing === 'url' ? TEXTS.noUrl : addressProblem(fields.callback_url)} />
      <EventsField
        events={events}
        onChange={setEvents}
        error={missing === 'events' && events.length === 0 ? TEXTS.noEvent : fields.events}
      />
      {error !== undefined && !Object.keys(fields).some((name) => FIELDS.includes(name)) && <Notice tone="bad">{error.message}</Notice>}
    </FormDialog>
  )
}
