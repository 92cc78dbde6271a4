import { useNavigate, useSearch } from '@tanstack/react-router'

/** What the address of the playground chooses. Texts are empty if it chooses nothing. */
export type Play = {
  readonly appKey: string
  readonly user: string
  readonly fn: string
  /** The connected account to call with. One that the user does not have for the function's app is ignored. */
  readonly accountId: string
  /** An earlier call from which the form is filled. */
  readonly callId: string
}

const PARAMETERS = { appKey: 'app_key', user: 'user', fn: 'function', accountId: 'account', callId: 'call' } as const

/** Reads the choices in the address, and returns the function that changes them. Other pages link to it with these parameters. */
export function usePlay(): readonly [Play, (change: Partial<Play>, how?: 'push' | 'replace') => void] {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const navigate = useNavigate()
  const read = (name: keyof Play) => {
    const value = search[PARAMETERS[name]]
    return typeof value === 'string' ? value : ''
  }
  const play: Play = {
    appKey: read('appKey'),
    user: read('user'),
    fn: read('fn'),
    accountId: read('accountId'),
    callId: read('callId'),
  }
  const change = (next: Partial<Play>, how: 'push' | 'replace' = 'push') => {
    const all = { ...play, ...next }
    const names = Object.keys(PARAMETERS) as (keyof Play)[]
    const chosen = Object.fromEntries(names.map((name) => [PARAMETERS[name], all[name] === '' ? undefined : all[name]]))
    void navigate({ to: '.', search: chosen as never, replace: how === 'replace' })
  }
  return [play, change]
}
