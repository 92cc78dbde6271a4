import type * as contract from '@onward/contract'
import type { ResponseOf } from '@onward/contract'
import type { ReactNode } from 'react'
import type { Reading } from '../../api/queries.ts'
import { PageLink } from '../../shell/links.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Failure } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'
import type { Form } from './use-form.ts'
import { PLAY } from './words.ts'

const { fromCall: words } = PLAY

type FromCallProps = { call: Reading<ResponseOf<typeof contract.readCall>>; form: Form; onDismiss(): void }

/** Says that the form has the arguments of an earlier call, and what of them is missing. */
export function FromCall({ call, form, onDismiss }: FromCallProps): ReactNode {
  const { data, error, loading, retry } = call
  if (error !== undefined) return <Failure title={words.failed} error={error} busy={loading} retry={retry} />
  if (data === undefined) return null
  const { missing, unknown } = form
  return (
    <Notice
      tone={missing.length > 0 || data.bodies !== 'kept' ? 'warn' : 'info'}
      title={words.title}
      action={
        <Button size="small" onClick={onDismiss}>
          {words.dismiss}
        </Button>
      }
    >
      <p>
        {words.began} <Time at={data.started_at} />. {words.text}
      </p>
      {data.bodies !== 'kept' && <p>{words.noBodies}</p>}
      {missing.length > 0 && <p>{words.missing(missing.join(', '))}</p>}
      {unknown.length > 0 && <p>{words.unknown(unknown.join(', '))}</p>}
      <p>
        <PageLink page="calls" search={{ call: data.id }}>
          {words.open}
        </PageLink>
      </p>
    </Notice>
  )
}
