import { Counter, Histogram, type Metrics } from '@onward/runtime'
import { ModelError, type ModelFailure } from './model-error.ts'

export type Purpose = 'choose' | 'fill' | 'repair' | 'embed_prompt' | 'embed_functions'

/** Runs a request of a purpose and counts it. */
export type Measure = <T>(purpose: Purpose, request: () => Promise<T>) => Promise<T>

export function openMeasure(registry: Metrics): Measure {
  const registers = [registry]
  const requests = new Counter<'purpose' | 'outcome'>({
    name: 'onward_functions_model_requests_total',
    help: 'Requests to the model server by purpose and outcome; not_asked were not made, because it fails or has too much to do.',
    labelNames: ['purpose', 'outcome'],
    registers,
  })
  const seconds = new Histogram<'purpose'>({
    name: 'onward_functions_model_seconds',
    help: 'For how long the model server was waited for.',
    labelNames: ['purpose'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30],
    registers,
  })
  return async (purpose, request) => {
    const end = seconds.startTimer({ purpose })
    let outcome: ModelFailure | 'ok' | 'failed' = 'ok'
    try {
      return await request()
    } catch (err) {
      outcome = err instanceof ModelError ? err.failure : 'failed'
      throw err
    } finally {
      requests.inc({ purpose, outcome })
      if (outcome !== 'not_asked') end()
    }
  }
}
