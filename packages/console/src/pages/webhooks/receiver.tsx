import type { ReactNode } from 'react'
import { areaB } from '../../api/doors.ts'
import { getSubscription, listSubscriptions, updateSubscription } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { useRefreshList } from '../../list/refresh-list.ts'
import { ifUnchanged } from '../../parts/clashes.tsx'
import { SettingsForm } from '../../parts/settings-form.tsx'
import { useDraft } from '../../ui/draft.ts'
import { addressProblem, EventsField, UrlField } from './fields.tsx'
import type { OneSubscription } from './states.ts'
import { TEXT } from './words.ts'

const TEXTS = TEXT.settings
const LABELS = { callback_url: TEXTS.endpoint, events: TEXTS.events }
const FIELDS = Object.keys(LABELS)

/** Where the webhooks go, and which ones. */
export function Receiver({ subscription }: { subscription: OneSubscription }): ReactNode {
  const { subscription_id: id, callback_url, events } = subscription
  const { why } = useMay('developer')
  const refreshList = useRefreshList()
  const change = useChange(areaB(useWorkspaceId()), updateSubscription, {
    done: TEXTS.saved,
    refresh: [getSubscription, listSubscriptions],
  })
  const draft = useDraft<{ callback_url: string; events: readonly string[] }>({ callback_url, events })
  const save = async () => {
    const { callback_url: url, events: chosen } = draft.changed
    const values = { ...(url !== undefined && { callback_url: url.trim() }), ...(chosen !== undefined && { events: [...chosen] }) }
    const body = { ...values, ...ifUnchanged({ callback_url, events }, values) }
    if ((await change.run({ params: { subscription_id: id }, body })) === undefined) return false
    refreshList('subscriptions')
    return true
  }
  /** Keeps the stored order, so that what was taken back is no change. */
  const choose = (chosen: readonly string[]) => {
    const kept = events.filter((event) => chosen.includes(event))
    draft.set({ events: [...kept, ...chosen.filter((event) => !kept.includes(event))] })
  }
  return (
    <SettingsForm
      label={TEXTS.about}
      labels={LABELS}
      draft={draft}
      save={save}
      running={change.running}
      error={change.error}
      fields={FIELDS}
      why={why ?? (draft.values.events.length === 0 ? TEXT.create.noEvent : undefined)}
    >
      <UrlField
        disabled={why !== undefined}
        url={draft.values.callback_url}
        onChange={(url) => draft.set({ callback_url: url })}
        error={addressProblem(change.fields.callback_url)}
      />
      <EventsField disabled={why !== undefined} events={draft.values.events} onChange={choose} error={change.fields.events} />
    </SettingsForm>
  )
}
