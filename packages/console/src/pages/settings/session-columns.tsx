import { useMe } from '../../api/me.ts'
import type { Column } from '../../ui/table.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import type { Session } from './types.ts'

type Name = 'scope' | 'created' | 'used' | 'expires'

/** Returns the columns that sessions of browsers and tokens both have. `everywhere` names the scope of all workspaces. */
export function useSessionColumns(heads: Readonly<Record<Name, string>>, everywhere: string): Readonly<Record<Name, Column<Session>>> {
  const { workspaces } = useMe()
  const nameOf = (id: string) => workspaces.find(({ workspace_id }) => workspace_id === id)?.name ?? id
  return {
    scope: {
      id: 'scope',
      head: heads.scope,
      width: 170,
      phone: 'line',
      cell: ({ workspace_id: id }) => (id === null ? everywhere : nameOf(id)),
    },
    created: timeColumn({ id: 'created', head: heads.created, phone: 'hide', at: ({ created_at: at }) => at }),
    used: timeColumn({ id: 'used', head: heads.used, phone: 'line', at: ({ last_used_at: at }) => at }),
    expires: timeColumn({ id: 'expires', head: heads.expires, phone: 'hide', at: ({ expires_at: at }) => at }),
  }
}
