import type { ResponseOf, readSignInMethods } from '@onward/contract'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { BASE_PATH } from './base.ts'
import { type OnwardError, request } from './request.ts'

type Methods = ResponseOf<typeof readSignInMethods>

/** Asks the service how people can sign in. It needs no session, so a failure does not open the sign-in dialog. */
export function useSignInMethods(enabled: boolean): UseQueryResult<Methods, OnwardError> {
  return useQuery<Methods, OnwardError>({
    queryKey: ['sign-in-methods'],
    queryFn: async ({ signal }) => (await request('get', '/insights/admin/session/methods', { signal })) as Methods,
    staleTime: Number.POSITIVE_INFINITY,
    enabled,
  })
}

/** Returns the address where single sign-on begins. It leads back to the page that is open. */
export function singleSignOnUrl(): string {
  const page = location.pathname.slice(BASE_PATH.length - 1) + location.search
  return `${BASE_PATH}oidc/start?${new URLSearchParams({ return_to: page })}`
}
