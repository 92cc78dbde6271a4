import type { ApprovalItem } from '@onward/contract'
import { type ReactNode, useState } from 'react'
import { functions } from '../../api/doors.ts'
import { decideApplicationApproval, readAttention } from '../../api/endpoints.ts'
import { useMay } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { toast } from '../../api/toasts.ts'
import { ChangeError } from '../../parts/change-error.tsx'
import { WORDS as SHARED } from '../../text/words.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { useNow } from '../../ui/media.ts'
import { Row } from '../../ui/page.tsx'
import type { ApprovalRow } from './approval-columns.tsx'
import styles from './approvals.module.css'
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
  const [refusing, setRefusing] = useState(false)
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
    <section aria-label={words.title} className={styles.decide}>
      {refusing ? (
        <Field label={words.reason} help={words.reasonHelp} optional>
          <TextArea autoFocus maxLength={500} value={reason} onChange={(event) => setReason(event.target.value)} />
        </Field>
      ) : (
        <p className={styles.about}>{words.about}</p>
      )}
      <ChangeError error={change.error} />
      <Row>
        {refusing ? (
          <Button tone="quiet" onClick={() => setRefusing(false)}>
            {SHARED.common.cancel}
          </Button>
        ) : (
          <Button
            tone="accent"
            busy={change.running || reading}
            why={why ?? (isDestructive && !owner.allowed ? words.ownerOnly : undefined)}
            onClick={() => void decide('approved')}
          >
            {words.approve}
          </Button>
        )}
        <Button tone="bad" busy={change.running} why={why} onClick={() => (refusing ? void decide('refused') : setRefusing(true))}>
          {refusing ? words.refuseNow : words.refuse}
        </Button>
      </Row>
    </section>
  )
}
