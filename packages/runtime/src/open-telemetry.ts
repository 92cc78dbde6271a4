import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, type Span as OtelSpan, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { inTime } from './time.ts'
import type { Span, Tracing, TracingConfig } from './tracing.ts'
import { uuidv7 } from './uuid.ts'
import { VERSION } from './version.ts'

/** How long a stop waits for the last spans. */
const CLOSE_MS = 3_000

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, producer: SpanKind.PRODUCER, consumer: SpanKind.CONSUMER } as const

/** Sends spans with OTLP over HTTP. The exporter reads `OTEL_EXPORTER_OTLP_HEADERS` from the environment itself. */
export function openTelemetry(service: string, { url, share }: TracingConfig): Tracing {
  const failures: { warn: (err: Error) => void } = { warn: () => {} }
  const exporter = reporting(new OTLPTraceExporter({ url: `${url}/v1/traces` }), failures)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': `onward-${service}`,
      'service.version': VERSION,
      'service.instance.id': uuidv7(),
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('onward', VERSION)
  const running = new AsyncLocalStorage<Own>()
  const contextOf = (parent: string | undefined) =>
    parent === undefined ? (running.getStore()?.context ?? ROOT_CONTEXT) : remoteContext(parent)

  return {
    start: (name, { kind, attributes, parent }) =>
      ownSpan(tracer.startSpan(name, { kind: kind && KINDS[kind], attributes }, contextOf(parent))),
    run: (span, work) => running.run(span as Own, work),
    current: () => running.getStore(),
    ended(name, durationMs, { kind, attributes }) {
      const parent = running.getStore()
      if (parent === undefined) return
      const now = Date.now()
      tracer.startSpan(name, { kind: kind && KINDS[kind], attributes, startTime: now - durationMs }, parent.context).end(now)
    },
    warnOn(log) {
      failures.warn = (err) => log.warn({ err }, 'spans could not be sent to the receiver of traces')
    },
    close: () => inTime(CLOSE_MS, provider.shutdown(), () => undefined).catch(() => {}),
  }
}

type Own = Span & { readonly context: Context }

function ownSpan(span: OtelSpan): Own {
  const { traceId, spanId, traceFlags } = span.spanContext()
  const recorded = (traceFlags & TraceFlags.SAMPLED) !== 0
  return {
    traceId,
    traceparent: `00-${traceId}-${spanId}-${recorded ? '01' : '00'}`,
    recorded,
    context: trace.setSpan(ROOT_CONTEXT, span),
    set: (attributes) => void span.setAttributes(attributes),
    fail: (message) => void span.setStatus({ code: SpanStatusCode.ERROR, message }),
    end: () => span.end(),
  }
}

const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Returns the context of a parent in another process; the empty context if the text is not a `traceparent`. */
function remoteContext(parent: string): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(parent) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true })
}

/** The exporter reports failures only to its caller, which drops them. */
function reporting(exporter: SpanExporter, failures: { readonly warn: (err: Error) => void }): SpanExporter {
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error !== undefined) failures.warn(result.error)
        done(result)
      })
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  }
}
