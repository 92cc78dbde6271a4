import { writeJson } from '@onward/json'
import { ArrowRight, Download, ListEnd } from 'lucide-react'
import type { ReactNode } from 'react'
import { PageLink } from '../../shell/links.tsx'
import { formatBytes, formatDuration } from '../../text/format.ts'
import { WORDS } from '../../text/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Progress } from '../../ui/bar.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Id } from '../../ui/copy-button.tsx'
import { Empty, Notice } from '../../ui/empty.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { whoseOf } from './errors.ts'
import { Held, isHeld } from './held.tsx'
import styles from './playground.module.css'
import type { Cursor, Outcome } from './use-run.ts'
import { PLAY } from './words.ts'

const { run: words } = PLAY
/** Longer responses are not drawn. */
const MAX_SHOWN = 1_000_000

type ResponseProps = { running: boolean; outcome: Outcome | undefined; onNext(cursor: Cursor): void }

/** What the app answered, or why the call was not made. */
export function ResponseView({ running, outcome, onNext }: ResponseProps): ReactNode {
  return (
    <div className={styles.stack} aria-live="polite" aria-busy={running}>
      {running && <Progress done={0} label={words.running} />}
      {!running && outcome === undefined && <Empty title={words.noResponse} help={words.noResponseHelp} />}
      {outcome?.response !== undefined && <Answered outcome={outcome} response={outcome.response} onNext={onNext} />}
      {outcome?.error !== undefined && <Failed outcome={outcome} error={outcome.error} />}
    </div>
  )
}

type AnsweredProps = { outcome: Outcome; response: NonNullable<Outcome['response']>; onNext(cursor: Cursor): void }

function Answered({ outcome, response, onNext }: AnsweredProps): ReactNode {
  const { network_code: status, output, _cursor: cursor, meta } = response
  const appError = meta?.app_error === true
  const problem = appError ? words.appError : status >= 500 ? words.appFailed : status >= 400 ? words.appRefused : undefined
  return (
    <>
      <div className={styles.status}>
        <Badge soft tone={problem === undefined ? 'good' : 'bad'} text={words.done(String(status), formatDuration(outcome.ms))} />
        <CallLink callId={outcome.callId} />
      </div>
      {problem !== undefined && <Notice tone="warn">{problem}</Notice>}
      {meta?.retry_after !== undefined && <Notice tone="warn">{words.retryAfter(meta.retry_after)}</Notice>}
      {meta?.location !== undefined && <Notice tone="info">{words.location(meta.location)}</Notice>}
      {meta?.next_page_problem !== undefined && <Notice tone="warn">{words.nextProblem(meta.next_page_problem)}</Notice>}
      {meta?.fields_missing !== undefined && <Notice tone="warn">{words.fieldsMissing(meta.fields_missing.join(', '))}</Notice>}
      <Output output={output} />
      {cursor !== undefined && cursor !== null && (
        <div className={styles.next}>
          <Button size="small" icon={<ListEnd />} onClick={() => onNext(cursor)}>
            {words.next}
          </Button>
          <span className={styles.note}>{words.nextHelp}</span>
        </div>
      )}
    </>
  )
}

function Output({ output }: { output: unknown }): ReactNode {
  const { content_type: type, base64 } = Object(output)
  if (typeof type === 'string' && typeof base64 === 'string') {
    return <Offered text={words.file(type, formatBytes(Math.floor((base64.length * 3) / 4)))} onSave={() => save(bytesOf(base64), type)} />
  }
  const text = output === undefined ? 'null' : writeJson(output)
  if (text.length <= MAX_SHOWN) return <JsonView value={output} label={words.response} />
  return <Offered text={words.large(formatBytes(text.length))} onSave={() => save(writeJson(output, 2), 'application/json')} />
}

function Offered({ text, onSave }: { text: string; onSave(): void }): ReactNode {
  return (
    <Notice
      tone="info"
      action={
        <Button size="small" icon={<Download />} onClick={onSave}>
          {words.download}
        </Button>
      }
    >
      {text}
    </Notice>
  )
}

function Failed({ outcome, error }: { outcome: Outcome; error: NonNullable<Outcome['error']> }): ReactNode {
  const executed = outcome.callId !== undefined
  if (isHeld(error)) return <Held task={outcome.task} error={error} />
  const unclear = error.status === 0 || error.code === 'outcome_unknown' || error.code === 'outcome_not_recorded'
  return (
    <>
      <Notice tone="bad" title={unclear ? words.unclear : executed ? words.failed : words.refused}>
        <p>{error.message}</p>
        {error.details.length > 0 && (
          <ul className={styles.details}>
            {error.details.map((detail) => (
              <li key={detail}>{detail}</li>
            ))}
          </ul>
        )}
        <p>{whoseOf(error.code)}</p>
        {error.requestId !== undefined && (
          <p className={styles.request}>
            {WORDS.common.requestId} <Id value={error.requestId} what={WORDS.common.requestId} full />
          </p>
        )}
      </Notice>
      <CallLink callId={outcome.callId} />
    </>
  )
}

function CallLink({ callId }: { callId: string | undefined }): ReactNode {
  if (callId === undefined) return null
  return (
    <PageLink page="calls" search={{ call: callId }} className={buttonClass('plain', 'small')}>
      {words.openCall}
      <ArrowRight aria-hidden="true" />
    </PageLink>
  )
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

function save(content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  Object.assign(document.createElement('a'), { href: url, download: type === 'application/json' ? 'response.json' : 'response' }).click()
  URL.revokeObjectURL(url)
}
