import type { AxiosInstance } from '@onward/runtime'

const WITHOUT_BODY = [204, 205, 304]

/** `fetch`, as far as a client library needs it, by a client of ours: no redirects, no proxy, caps both ways. */
export function boundedFetch(http: AxiosInstance): typeof fetch {
  return async (input, init) => {
    const { status, headers, data } = await http.request<Buffer>({
      url: String(input),
      method: init?.method ?? 'get',
      headers: Object.fromEntries(new Headers(init?.headers)),
      data: init?.body,
      ...(init?.signal ? { signal: init.signal } : {}),
    })
    const kind = { 'content-type': String(headers['content-type'] ?? '') }
    return new Response(WITHOUT_BODY.includes(status) ? null : new Uint8Array(data), { status, headers: kind })
  }
}
