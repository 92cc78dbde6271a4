import { type ReactNode, useState } from 'react'
import { areaB } from '../../api/doors.ts'
import { getSubscription, listSubscriptions, rotateSigningSecret } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { WORDS } from '../../text/words.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Stack } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { type OneSubscription, shortUrl } from './states.ts'
import { TEXT } from './words.ts'

const TEXTS = TEXT.rotate
type Hours = keyof typeof TEXTS.hours
const HOURS: readonly Hours[] = ['24', '6', '1', '0']
/** What is left of an overlap of no time when the response arrives. */
const OVER_MS = 1000

/** Makes a new signing secret after asking how long the previous one signs too, and shows it once. */
export function RotateSecret({ subscription, onClose }: { subscription: OneSubscription; onClose(): void }): ReactNode {
  const { subscription_id: id, callback_url: url, previous_valid_until: overlap } = subscription
  const door = areaB(useWorkspaceId())
  const { why } = useMay('developer')
  const [hours, setHours] = useState<Hours>('24')
  const { run, running, error } = useChange(door, rotateSigningSecret, { refresh: [getSubscription, listSubscriptions] })
  const [made, setMade] = useState<{ secret: string; until: string } | undefined>(undefined)
  const start = async () => {
    const response = await run({ params: { subscription_id: id }, body: { keep_previous_hours: Number(hours) } })
    if (response !== undefined) setMade({ secret: response.signing_secret, until: response.previous_valid_until })
  }
  if (made !== undefined) {
    return (
      <SecretOnce label={TEXTS.secret(shortUrl(url))} load={() => Promise.resolve(made.secret)} onClose={onClose}>
        <p>
          {Date.parse(made.until) > Date.now() + OVER_MS ? (
            <>
              {TEXTS.until} <Time at={made.until} as="exact" />.
            </>
          ) : (
            TEXTS.over
          )}
        </p>
      </SecretOnce>
    )
  }
  return (
    <Dialog
      open
      title={TEXTS.title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{WORDS.common.cancel}</Button>
          <Button tone="accent" busy={running} why={why} onClick={() => void start()}>
            {TEXTS.start}
          </Button>
        </>
      }
    >
      <Stack gap={4}>
        <p>{TEXTS.about}</p>
        {overlap !== null && <Notice tone="warn">{TEXTS.overlapping}</Notice>}
        <Field label={TEXTS.keep}>
          <Select
            value={hours}
            onChange={(event) => setHours(HOURS.find((each) => each === event.target.value) ?? '24')}
            options={HOURS.map((each) => [each, TEXTS.hours[each]])}
          />
        </Field>
        {hours === '0' && <Notice tone="warn">{TEXTS.atOnce}</Notice>}
        {error !== undefined && <Notice tone="bad">{error.message}</Notice>}
      </Stack>
    </Dialog>
  )
}
