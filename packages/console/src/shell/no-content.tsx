import type { ReactNode } from 'react'
import { SHELL_WORDS } from '../text/shell-words.ts'
import { Empty } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import type { PageName } from './pages.ts'

/** A page that has only its title. It is in the address space, but not in the menu. */
export function NoContent({ page }: { page: PageName }): ReactNode {
  return (
    <Page title={SHELL_WORDS.menu[page]} about={SHELL_WORDS.about[page]}>
      <Empty title={SHELL_WORDS.nothingYet} help={SHELL_WORDS.nothingYetHelp} />
    </Page>
  )
}
