import type { Tracing, TracingConfig } from './tracing.ts'

/** Opens tracing, or returns undefined if there is no receiver. Only then is the code of OpenTelemetry loaded. */
export async function openTracing(service: string, config: TracingConfig | undefined): Promise<Tracing | undefined> {
  return config && (await import('./open-telemetry.ts')).openTelemetry(service, config)
}
