import type { EndpointShape, ResponseOf } from '@onward/contract'
import { QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Reading as AnyReading } from '../ui/section.tsx'
import type { Door } from './doors.ts'
import { isTransient, OnwardError } from './request.ts'
import { type At, type InputOf, type Sent, send } from './send.ts'
import { toast } from './toasts.ts'

/** Data that is read from a service. After a refresh that failed, `data` is older than `error`. `asOf` is when `data` was read. */
export type Reading<T> = AnyReading<T> & { readonly error: OnwardError | undefined }

export type ReadOptions = {
  /** False to read nothing yet. */
  readonly enabled?: boolean
  /** Reads again after so many ms, while the page is visible. */
  readonly every?: number | undefined
  /** How long the data counts as fresh, in ms. The default is 10 s. */
  readonly freshFor?: number
}

const MAX_RETRIES = 2

/** Secrets are never read through it, because it keeps responses. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      networkMode: 'always',
      // With this network mode, the default is false.
      refetchOnReconnect: true,
      retry: (failures, error) => failures < MAX_RETRIES && error instanceof OnwardError && isTransient(error),
      retryDelay: (failures) => 500 * 2 ** failures,
    },
  },
})

/** Reads an endpoint, and reads it again when the page is looked at after a while. */
export function useRead<E extends EndpointShape>(
  door: Door,
  endpoint: At<E>,
  input: InputOf<E>,
  { enabled = true, every, freshFor }: ReadOptions = {},
): Reading<ResponseOf<E>> {
  const query = useQuery<ResponseOf<E>, OnwardError>({
    queryKey: keyOf(door, endpoint, input),
    queryFn: ({ signal }) => send(door, endpoint, { ...input, signal } as Sent<E>),
    enabled,
    refetchInterval: every,
    ...(freshFor !== undefined && { staleTime: freshFor }),
  })
  return {
    data: query.data,
    error: query.error ?? undefined,
    loading: query.isFetching,
    asOf: query.dataUpdatedAt === 0 ? undefined : new Date(query.dataUpdatedAt),
    retry: () => void query.refetch(),
  }
}

/** The key of what `useRead` keeps. All reads of an endpoint begin with its method and path. */
function keyOf<E extends EndpointShape>(door: Door, { method, path }: At<E>, input: unknown): readonly unknown[] {
  return [`${method} ${path}`, door.area, door.under ?? '', input]
}

export type Change<E extends EndpointShape> = {
  /** Resolves to undefined if the change was refused; `error` then says why. */
  run(input: InputOf<E>): Promise<ResponseOf<E> | undefined>
  readonly running: boolean
  /** What is wrong with each field of the body, by the name of the field. */
  readonly fields: Readonly<Record<string, string>>
  readonly error: OnwardError | undefined
}

type ChangeOptions = {
  /** Said when it is done; without it, nothing is said. */
  readonly done?: string
  /** The endpoints whose responses this changes. */
  readonly refresh: readonly Pick<At<EndpointShape>, 'method' | 'path'>[]
}

/** Changes something through an endpoint, then refreshes what it changed. Never retried automatically. */
export function useChange<E extends EndpointShape>(door: Door, endpoint: At<E>, { done, refresh }: ChangeOptions): Change<E> {
  const client = useQueryClient()
  const [running, setRunning] = useState(false)
  const [error, setError] = useState<OnwardError | undefined>()
  return {
    running,
    error,
    fields: error?.code === 'changed_since_read' ? {} : fieldsOf(error?.details ?? []),
    async run(input) {
      setRunning(true)
      setError(undefined)
      const readAgain = () => Promise.all(refresh.map(({ method, path }) => client.invalidateQueries({ queryKey: [`${method} ${path}`] })))
      try {
        const response = await send(door, endpoint, input as Sent<E>)
        await readAgain()
        if (done !== undefined) toast(done)
        return response
      } catch (err) {
        if (!(err instanceof OnwardError)) throw err
        if (err.code === 'changed_since_read') await readAgain()
        setError(err)
        return undefined
      } finally {
        setRunning(false)
      }
    },
  }
}

/** Returns what is wrong by the name of the field: `"name: must not be empty"` becomes `{ name: 'must not be empty' }`. */
function fieldsOf(details: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    details.map((detail) => {
      const [, field = '', text = detail] = /^([\w.[\]]+): (.*)$/s.exec(detail) ?? []
      return [field, text]
    }),
  )
}
