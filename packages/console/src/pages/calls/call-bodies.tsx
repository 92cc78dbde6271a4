import type { ReactNode } from 'react'
import { isFailure } from '../../parts/call-result.tsx'
import { Notice } from '../../ui/empty.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Stack } from '../../ui/page.tsx'
import type { WholeCall } from './read-calls.ts'
import { CALLS_WORDS } from './words.ts'

const WORDS = CALLS_WORDS.panel

/** The arguments of a call and what the app answered, as far as they were kept; else why they were not. */
export function CallBodies({ call }: { call: WholeCall }): ReactNode {
  if (call.bodies === 'not_kept') {
    return (
      <Notice tone="info" title={WORDS.notKept}>
        {WORDS.why(isFailure(call))}
      </Notice>
    )
  }
  if (call.bodies === 'over_quota') {
    return (
      <Notice tone="info" title={WORDS.notKept}>
        {WORDS.overQuota}
      </Notice>
    )
  }
  const request = <Body key="request" title={WORDS.request} label={WORDS.arguments} value={call.arguments} />
  const response =
    'output' in call ? (
      <Body key="response" title={WORDS.response} label={WORDS.output} value={call.output} />
    ) : (
      <Notice key="response" tone="info" title={WORDS.response}>
        {WORDS.noOutput[call.outcome]}
      </Notice>
    )
  // What went wrong is in the response.
  return <Stack gap={4}>{isFailure(call) ? [response, request] : [request, response]}</Stack>
}

function Body({ title, label, value }: { title: string; label: string; value: unknown }): ReactNode {
  const size = tooLarge(value)
  if (size !== undefined) {
    return (
      <Notice tone="info" title={title}>
        {WORDS.tooLarge(size)}
      </Notice>
    )
  }
  return (
    <Stack gap={2}>
      <h3>{title}</h3>
      <JsonView value={value} label={label} />
    </Stack>
  )
}

/** Returns the size of a body that was too large to store. The service stores this text in its place. */
function tooLarge(value: unknown): string | undefined {
  return typeof value === 'string' ? /^\[(\d+) characters, not kept\]$/.exec(value)?.[1] : undefined
}
