import type { ReactNode } from 'react'
import { isFailure } from '../../parts/call-result.tsx'
import { Code } from '../../ui/code.tsx'
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
  const request = <Body key="request" title={WORDS.request} label={WORDS.arguments} value={call.arguments} length={call.cut?.arguments} />
  const response =
    'output' in call ? (
      <Body key="response" title={WORDS.response} label={WORDS.output} value={call.output} length={call.cut?.output} />
    ) : (
      <Notice key="response" tone="info" title={WORDS.response}>
        {WORDS.noOutput[call.outcome]}
      </Notice>
    )
  // What went wrong is in the response.
  return <Stack gap={4}>{isFailure(call) ? [response, request] : [request, response]}</Stack>
}

/** `length` is that of the whole body, if only the first part of its text was kept. */
function Body({ title, label, value, length }: { title: string; label: string; value: unknown; length: number | undefined }): ReactNode {
  return (
    <Stack gap={2}>
      <h3>{title}</h3>
      {length === undefined ? (
        <JsonView value={value} label={label} />
      ) : (
        <>
          <Notice tone="info" title={WORDS.cut(String(value).length, length)} />
          {value !== '' && <Code wrap text={String(value)} language="json" label={label} />}
        </>
      )}
    </Stack>
  )
}
