import { Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMe } from '../api/me.ts'
import { SHELL_WORDS } from '../text/shell-words.ts'
import { Empty } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import { pathTo } from './paths.ts'

/** Leads to the overview of the first workspace. */
export function Home(): ReactNode {
  const [first] = useMe().workspaces
  if (first !== undefined) return <Navigate to={pathTo({ page: 'overview' }, first.workspace_id)} replace />
  return (
    <Page title={SHELL_WORDS.product}>
      <Empty title={SHELL_WORDS.noWorkspace} help={SHELL_WORDS.noWorkspaceHelp} />
    </Page>
  )
}
