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

/** Chooses the application whose data the page shows. The choice is in the address. */
export function ApplicationFilter(): ReactNode {
  const appKey = useAppKey() ?? ''
  const navigate = useNavigate()
  const { data } = useRead(functions, listApplications, { query: { workspace_id: useWorkspaceId() } })
  const known = data?.applications ?? []
  const choose = (value: string) => {
    const change = (search: Record<string, unknown>) => ({ ...search, app_key: value === '' ? undefined : value })
    void navigate({ to: '.', search: change as never })
  }
  if (appKey === '' && known.length < 2) return null
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
