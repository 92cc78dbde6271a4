import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { functions } from '../api/doors.ts'
import { listApplications } from '../api/endpoints.ts'
import { useWorkspaceId } from '../api/me.ts'
import { useRead } from '../api/queries.ts'
import { SHELL_WORDS } from '../text/shell-words.ts'
import { Select } from '../ui/field.tsx'

/** Returns the App-Key that the application filter is set to; undefined for all applications. */
export function useAppKey(): string | undefined {
  const { app_key: appKey } = useSearch({ strict: false }) as { app_key?: unknown }
  return typeof appKey === 'string' && appKey !== '' ? appKey : undefined
}

function useApplications() {
  const workspaceId = useWorkspaceId()
  return (
    useRead(functions, listApplications, { query: { workspace_id: workspaceId } }, { enabled: workspaceId !== '' }).data?.applications ?? []
  )
}

/** Returns whether there is a choice of applications. */
export function useHasChoice(): boolean {
  const several = useApplications().length > 1
  return useAppKey() !== undefined || several
}

/** Chooses the application whose data the page shows. The choice is in the address. */
export function ApplicationFilter(): ReactNode {
  const appKey = useAppKey() ?? ''
  const navigate = useNavigate()
  const known = useApplications()
  const choose = (value: string) => {
    const change = (search: Record<string, unknown>) => ({ ...search, app_key: value === '' ? undefined : value })
    void navigate({ to: '.', search: change as never })
  }
  return (
    <Select aria-label={SHELL_WORDS.application} value={appKey} onChange={(event) => choose(event.target.value)}>
      <option value="">{SHELL_WORDS.allApplications}</option>
      {known.map(({ app_key, name }) => (
        <option key={app_key} value={app_key}>
          {name}
        </option>
      ))}
      {known.every(({ app_key }) => app_key !== appKey) && appKey !== '' && <option value={appKey}>{appKey}</option>}
    </Select>
  )
}
