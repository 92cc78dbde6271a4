import type { ReactNode } from 'react'
import { faultOf } from '../../parts/call-fault.ts'
import { PageLink } from '../../shell/links.tsx'
import { Notice } from '../../ui/empty.tsx'
import type { Call } from './read-calls.ts'
import { CALLS_WORDS } from './words.ts'

/** Explains a failure, with a link to the calls that failed in the same way. */
export function FailureHelp({ call }: { call: Call }): ReactNode {
  const { app_key, function_name, outcome, network_code } = call
  const { title, help } = faultOf(call)
  const same = { app_key, function: function_name, outcome, status: network_code === null ? undefined : String(network_code), period: '7d' }
  return (
    <Notice tone={outcome === 'unknown' ? 'warn' : 'bad'} title={title}>
      <p>{help}</p>
      <p>
        <PageLink page="calls" search={same}>
          {CALLS_WORDS.panel.similar}
        </PageLink>
      </p>
    </Notice>
  )
}
