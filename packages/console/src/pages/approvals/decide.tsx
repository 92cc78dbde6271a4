import type { ApprovalItem } from '@onward/contract'
import { type ReactNode, useState } from 'react'
import { functions } from '../../api/doors.ts'
import { decideApplicationApproval, readAttention } from '../../api/endpoints.ts'
import { useMay } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { toast } from '../../api/toasts.ts'
import { ChangeError } from '../../parts/change-error.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { useNow } from '../../ui/media.ts'
import { Row, Stack } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import type { ApprovalRow } from './approval-columns.tsx'
import { WORDS } from './words.ts'

const { decide: words } = WORDS

type DecideProps = {
  approval: ApprovalRow
  isDestructive: boolean
  /** Whether what the call would change is being read. */
  reading: boolean
  onDecided(approval: ApprovalItem): void
}

/** Approves a call, or refuses it with a reason. Owners alone approve destructive functions. */
export function Decide({ approval, isDestructive, reading, onDecided }: DecideProps): ReactNode {
  const { id, app_key, expires_at } = approval
  const [reason, setReason] = useState('')
  const developer = useMay('developer')
  const owner = useMay('owner')
  const change = useChange(functions, decideApplicationApproval, { refresh: [readAttention] })
  const expired = new Date(expires_at) <= useNow() ? words.expired : undefined
  const why = developer.why ?? expired
  const decide = async (result: 'approved' | 'refused') => {
    const given = result === 'refused' && reason.trim() !== '' ? { reason: reason.trim() } : {}
    const decided = await change.run({ params: { app_key, id }, body: { result, ...given } })
    if (decided === undefined) return
    toast(words[result])
    onDecided(decided)
  }
  return (
    <Group title={words.title} about={words.about}>
      <Stack gap={3}>
        <Field label={words.reason} help={words.reasonHelp} optional>
          <TextArea maxLength={500} disabled={why !== undefined} value={reason} onChange={(event) => setReason(event.target.value)} />
        </Field>
        <ChangeError error={change.error} />
        <Row>
          <Button
            tone="accent"
            busy={change.running || reading}
            why={why ?? (isDestructive && !owner.allowed ? words.ownerOnly : undefined)}
            onClick={() => void decide('approved')}
          >
            {words.approve}
          </Button>
          <Button tone="bad" busy={change.running} why={why} onClick={() => void decide('refused')}>
            {words.refuse}
          </Button>
        </Row>
      </Stack>
    </Group>
  )
}
