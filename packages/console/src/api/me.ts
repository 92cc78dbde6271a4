import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { createContext, use, useEffect } from 'react'
import { SHELL_WORDS } from '../text/shell-words.ts'
import { insights } from './doors.ts'
import { readSession } from './endpoints.ts'
import type { OnwardError } from './request.ts'
import { includes } from './roles.ts'
import { send } from './send.ts'
import type { Me, MyWorkspace, Role } from './types.ts'

/** The frame sets it before it shows any page, so that no page shows something as allowed that is not. */
export const MeContext = createContext<Me | undefined>(undefined)

/** Asks the service who is signed in. */
export function useReadMe(): UseQueryResult<Me, OnwardError> {
  return useQuery<Me, OnwardError>({
    queryKey: ['me'],
    queryFn: ({ signal }) => send(insights, readSession, { signal }),
    staleTime: 60_000,
  })
}

/** Returns who is signed in. For everything inside the frame. */
export function useMe(): Me {
  const me = use(MeContext)
  if (me === undefined) throw new Error('useMe needs the frame around it')
  return me
}

/** Returns the id of the workspace in the address; empty on pages without a workspace. */
export function useWorkspaceId(): string {
  return useParams({ strict: false }).workspace ?? ''
}

/** The workspace that was shown last. */
let latest = ''

/**
 * Returns the workspace that the menu leads to: the one in the address; on pages without one, the one that was shown last, or else the first.
 * Empty for somebody without workspaces.
 */
export function useMenuWorkspaceId(): string {
  const id = useWorkspaceId()
  const { workspaces } = useMe()
  useEffect(() => {
    if (id !== '') latest = id
  }, [id])
  if (id !== '') return id
  return (workspaces.find(({ workspace_id }) => workspace_id === latest) ?? workspaces[0])?.workspace_id ?? ''
}

/** Returns the workspace in the address with the own role in it; undefined if there is none or it is not one's own. */
export function useWorkspace(): MyWorkspace | undefined {
  const id = useWorkspaceId()
  return useMe().workspaces.find(({ workspace_id }) => workspace_id === id)
}

type May = {
  readonly allowed: boolean
  /** Why it is not allowed, for the control that stays visible. */
  readonly why: string | undefined
}

/** Returns whether the own role in the workspace of the address includes `role`. The service decides; this only says it before. */
export function useMay(role: Role): May {
  const { operator } = useMe()
  const workspace = useWorkspace()
  const allowed = operator || includes(workspace?.role, role)
  return { allowed, why: allowed ? undefined : SHELL_WORDS.needsRole(role) }
}
