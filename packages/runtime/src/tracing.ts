import { codeOf } from './error-code.ts'
import type { Log } from './log.ts'

/** Where traces go. */
export type TracingConfig = {
  /** The base URL of an OTLP/HTTP receiver, without a slash at the end. */
  readonly url: string
  /** The share of new traces that are recorded, 0 to 1. A trace of a caller is recorded if the caller records it. */
  readonly share: number
}

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export type SpanOptions = {
  readonly kind?: 'server' | 'client' | 'producer' | 'consumer'
  readonly attributes?: Attributes
  /** The `traceparent` of a parent that is not the current span. One that is not valid counts as none. */
  readonly parent?: string | undefined
}

export type Span = {
  readonly traceId: string
  /** The value of the W3C header, for messages and requests that belong to this span. */
  readonly traceparent: string
  /** Whether the span is recorded. */
  readonly recorded: boolean
  set(attributes: Attributes): void
  /** Marks the span as failed. `reason` must not contain data of users. */
  fail(reason: string): void
  end(): void
}

/** Traces of what the service does. It exists only when traces are sent somewhere. */
export type Tracing = {
  start(name: string, options: SpanOptions): Span
  /** Runs `work` with a current span; it stays current in whatever `work` awaits. */
  run<T>(span: Span, work: () => T): T
  current(): Span | undefined
  /** Records a part of the current span that has just ended. Does nothing without a current span. */
  ended(name: string, durationMs: number, options: SpanOptions): void
  /** Logs a warning when spans cannot be sent. */
  warnOn(log: Log): void
  /** Sends the last spans. */
  close(): Promise<void>
}

/**
 * Runs `work` in a span, which fails if `work` rejects. Without tracing, or without a parent, there is no span: only requests, and messages
 * with a trace, begin one.
 */
export function inSpan<T>(
  tracing: Tracing | undefined,
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  if (tracing === undefined || (options.parent === undefined && tracing.current() === undefined)) return work(undefined)
  const span = tracing.start(name, options)
  return tracing
    .run(span, () => work(span))
    .catch((err: unknown) => {
      span.fail(codeOf(err) ?? Object(err).name)
      throw err
    })
    .finally(() => span.end())
}
