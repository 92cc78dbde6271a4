import type { AxiosRequestConfig, AxiosResponse } from 'axios'
import { type ClientOptions, type Failure, failureOf, openClient } from '../src/index.ts'

/** A client as the services open it, but for the options given, with its answers and failures as values. */
export function openTestClient(options: Partial<ClientOptions> = {}) {
  const client = openClient({
    reach: 'local',
    connectTimeoutMs: 1_000,
    timeoutMs: 3_000,
    maxRequestBytes: 10_000,
    maxAnswerBytes: 10_000,
    overflow: 'fail',
    ...options,
  })
  return {
    ...client,
    get: async (url: string, config: AxiosRequestConfig = {}): Promise<AxiosResponse<Buffer>> => await client.http.get(url, config),
    /** The failure of a request that must not succeed. */
    async failure(url: string, config: AxiosRequestConfig = {}): Promise<Failure | undefined> {
      try {
        await client.http.request({ url, ...config })
      } catch (err) {
        return failureOf(err)
      }
      throw new Error('the request got an answer')
    },
  }
}
