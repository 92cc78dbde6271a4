import { useQuery } from '@tanstack/react-query'
import { Bot, type LucideIcon, UserRound, Webhook } from 'lucide-react'
import { areaB, functions, insights } from '../api/doors.ts'
import { listApplicationMcpTokens, listMembers, listSubscriptions } from '../api/endpoints.ts'
import { useWorkspaceId } from '../api/me.ts'
import { send } from '../api/send.ts'
import { MOST_APPLICATIONS } from '../api/suggestions.ts'
import { SHELL_WORDS } from '../text/shell-words.ts'
import type { Target } from './links.tsx'

const { palette: words } = SHELL_WORDS

/** The newest agents of an application, and the newest endpoints, that are found. */
const MOST = 100
const FRESH_FOR = 60_000

/** Something of the workspace with a name or an address of its own. */
export type Named = { readonly label: string; readonly note: string; readonly icon: LucideIcon; readonly does: Target }

/** Reads the webhook endpoints, members and agents of the workspace. Those that the reader may not see are left out. */
export function useNamed(appKeys: readonly string[] | undefined, enabled: boolean): readonly Named[] {
  const workspaceId = useWorkspaceId()
  const { data } = useQuery({
    queryKey: ['named', workspaceId, appKeys],
    queryFn: ({ signal }) => readNamed(workspaceId, appKeys ?? [], signal),
    enabled: enabled && appKeys !== undefined,
    staleTime: FRESH_FOR,
  })
  return data ?? []
}

async function readNamed(workspaceId: string, appKeys: readonly string[], signal: AbortSignal): Promise<readonly Named[]> {
  const results = await Promise.allSettled([
    readEndpoints(workspaceId, signal),
    readMembers(workspaceId, signal),
    ...appKeys.slice(0, MOST_APPLICATIONS).map((key) => readAgents(key, signal)),
  ])
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
}

async function readEndpoints(workspaceId: string, signal: AbortSignal): Promise<readonly Named[]> {
  const { subscriptions } = await send(areaB(workspaceId), listSubscriptions, { query: { page_size: MOST }, signal })
  return subscriptions.map(({ subscription_id: path, callback_url: label }) => ({
    label,
    note: words.endpoint,
    icon: Webhook,
    does: { page: 'webhooks', path },
  }))
}

async function readMembers(workspaceId: string, signal: AbortSignal): Promise<readonly Named[]> {
  const { members } = await send(insights, listMembers, { params: { workspace_id: workspaceId }, signal })
  return members.map(({ name, email, role }) => ({
    label: name === '' ? email : `${name} (${email})`,
    note: SHELL_WORDS.roles[role],
    icon: UserRound,
    does: { page: 'people' },
  }))
}

async function readAgents(appKey: string, signal: AbortSignal): Promise<readonly Named[]> {
  const { tokens } = await send(functions, listApplicationMcpTokens, { params: { app_key: appKey }, query: { page_size: MOST }, signal })
  return tokens.map(({ id, name, user_id }) => ({
    label: name,
    note: words.agentOf(user_id),
    icon: Bot,
    does: { page: 'agents', search: { app_key: appKey, user: user_id, agent: id } },
  }))
}
