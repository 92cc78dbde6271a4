import { ChevronsUpDown, Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useMe, useWorkspace } from '../api/me.ts'
import type { MyWorkspace } from '../api/types.ts'
import { SHELL_WORDS } from '../text/shell-words.ts'
import { Button } from '../ui/button.tsx'
import { Input } from '../ui/field.tsx'
import { Popover } from '../ui/popover.tsx'
import { PageLink } from './links.tsx'
import type { PageName } from './pages.ts'
import styles from './workspace-switcher.module.css'

/** With more workspaces, they can be searched. */
const FEW = 7
/** Links drawn at once. An operator can see thousands of workspaces. */
const MOST = 50

/** Names the workspace and leads to the same page of another one. */
export function WorkspaceSwitcher({ page = 'overview', onFollow }: { page?: PageName | undefined; onFollow?(): void }): ReactNode {
  const { workspaces, operator } = useMe()
  const current = useWorkspace()
  if (workspaces.length === 0 && !operator) return null
  return (
    <Popover
      label={SHELL_WORDS.workspaces}
      opener={(opener) => (
        <Button {...opener} tone="quiet" className={styles.opener} aria-label={current && `${SHELL_WORDS.workspace}: ${current.name}`}>
          <span className={styles.name}>{current?.name ?? SHELL_WORDS.workspaces}</span>
          <ChevronsUpDown aria-hidden="true" />
        </Button>
      )}
    >
      {(close) => (
        <Workspaces
          workspaces={workspaces}
          page={page === 'system' ? 'overview' : page}
          operator={operator}
          onFollow={() => {
            close()
            onFollow?.()
          }}
        />
      )}
    </Popover>
  )
}

type WorkspacesProps = { workspaces: readonly MyWorkspace[]; page: PageName; operator: boolean; onFollow(): void }

function Workspaces({ workspaces, page, operator, onFollow }: WorkspacesProps): ReactNode {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const found = workspaces.filter(({ name, workspace_id }) => `${name}\n${workspace_id}`.toLowerCase().includes(wanted))
  return (
    <div className={styles.list}>
      {workspaces.length > FEW && (
        <Input
          type="search"
          icon={<Search />}
          aria-label={SHELL_WORDS.findWorkspace}
          placeholder={SHELL_WORDS.findWorkspace}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <ul>
        {found.slice(0, MOST).map(({ workspace_id, name, role }) => (
          <li key={workspace_id}>
            <PageLink page={page} workspaceId={workspace_id} className={styles.workspace} onClick={onFollow}>
              <span className={styles.name}>{name}</span>
              <span className={styles.role}>{SHELL_WORDS.roles[role]}</span>
            </PageLink>
          </li>
        ))}
      </ul>
      {operator && (
        <ul className={styles.deployment}>
          <li>
            <PageLink page="system" path="workspaces" exactSearch className={styles.workspace} onClick={onFollow}>
              {SHELL_WORDS.allWorkspaces}
            </PageLink>
          </li>
          <li>
            <PageLink page="system" path="workspaces" search={{ open: 'new' }} exactSearch className={styles.workspace} onClick={onFollow}>
              {SHELL_WORDS.newWorkspace}
            </PageLink>
          </li>
        </ul>
      )}
    </div>
  )
}
