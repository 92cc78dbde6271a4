import { type ErrorComponentProps, Outlet } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { BASE_PATH } from '../api/base.ts'
import { MeContext, useMe, useReadMe, useWorkspace, useWorkspaceId } from '../api/me.ts'
import { toast } from '../api/toasts.ts'
import { SHELL_WORDS } from '../text/shell-words.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Empty } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import { Failure } from '../ui/section.tsx'
import { Bone, Skeleton } from '../ui/skeleton.tsx'
import styles from './frame.module.css'
import { PageLink, usePage } from './links.tsx'
import { MainMenu } from './menu.tsx'
import { isNotLoaded, NotLoaded, whyNotLoaded } from './not-loaded.tsx'
import { useRememberOpened } from './opened.ts'
import { useShortcuts } from './shortcuts.ts'
import { SignInDialog, SignInScreen } from './sign-in.tsx'
import { Toasts } from './toasts.tsx'
import { TopBar } from './top-bar.tsx'

type Name = 'palette' | 'shortcuts'

/** What is around every page. Shows the sign-in screen instead if nobody is signed in, so that the address stays the same. */
export function Frame(): ReactNode {
  const { data: me, error, refetch, isFetching } = useReadMe()
  if (me !== undefined) {
    return (
      <MeContext value={me}>
        <SignedIn />
        <SignInDialog />
        <Toasts />
      </MeContext>
    )
  }
  if (error?.status === 401) return <SignInScreen />
  if (error === null) return <FrameSkeleton />
  return (
    <main className={styles.alone}>
      <Failure title={SHELL_WORDS.product} error={error} busy={isFetching} retry={() => void refetch()} />
    </main>
  )
}

function SignedIn(): ReactNode {
  const page = usePage()
  useRememberOpened()
  const main = useRef<HTMLElement>(null)
  const shown = useRef(page)
  const workspaceId = useWorkspaceId()
  const workspace = useWorkspace()
  const { person } = useMe()
  const { dialog, open } = useKeyDialogs()
  const signedIn = useRef(person.id)
  useEffect(() => {
    // Another person signed in, in this page or another tab. Nothing that was read for the one before may stay.
    if (signedIn.current !== person.id) location.reload()
  }, [person.id])
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    main.current?.scrollTo(0, 0)
    // A screen reader continues with the new page, and the next press of Tab is in it.
    main.current?.focus({ preventScroll: true })
  }, [page])
  return (
    <div className={styles.frame}>
      <button type="button" className={cx('skip', styles.skip)} onClick={() => main.current?.focus()}>
        {SHELL_WORDS.skip}
      </button>
      <aside className={styles.side}>
        <PageLink page="overview" className={styles.brand}>
          <img src={`${BASE_PATH}icon.svg`} alt="" width={24} height={24} />
          {SHELL_WORDS.product}
        </PageLink>
        <MainMenu />
      </aside>
      <TopBar page={page} onPalette={() => open('palette')} />
      <main ref={main} id="content" tabIndex={-1} className={styles.main}>
        {workspaceId !== '' && workspace === undefined ? <UnknownWorkspace /> : <Outlet />}
      </main>
      {dialog}
    </div>
  )
}

function UnknownWorkspace(): ReactNode {
  return (
    <Page title={SHELL_WORDS.unknownWorkspace}>
      <Empty title={SHELL_WORDS.unknownWorkspace} help={SHELL_WORDS.unknownWorkspaceHelp} />
    </Page>
  )
}

/** Shown when a page fails to render. The menu around it still works. */
export function Crashed({ error }: ErrorComponentProps): ReactNode {
  if (isNotLoaded(error)) return <NotLoaded />
  return (
    <Page title={SHELL_WORDS.crashed}>
      <Empty
        title={error instanceof Error ? error.message : String(error)}
        help={<Button onClick={() => location.reload()}>{SHELL_WORDS.reload}</Button>}
      />
    </Page>
  )
}

function FrameSkeleton(): ReactNode {
  return (
    <div className={styles.frame}>
      <div className={styles.side} />
      <div className={styles.waiting}>
        <Skeleton>
          <Bone width={220} height={24} />
        </Skeleton>
      </div>
    </div>
  )
}

/** The code of the dialogs is loaded when one is opened. */
async function load(name: Name): Promise<(props: { onClose(): void; onShortcuts(): void }) => ReactNode> {
  if (name === 'palette') return (await import('./palette.tsx')).Palette
  return (await import('./shortcuts-dialog.tsx')).ShortcutsDialog
}

/** Listens to the shortcuts. Returns the palette or the list of shortcuts while one of them is open, and the function that opens them. */
function useKeyDialogs(): { readonly dialog: ReactNode; open(name: Name): void } {
  const [Shown, setShown] = useState<Awaited<ReturnType<typeof load>> | undefined>(undefined)
  const open = (name: Name) => {
    void load(name).then(
      (component) => setShown(() => component),
      // After a release, the code of an old page is gone. Reloading it here could lose what the reader typed.
      () => toast(whyNotLoaded(), 'bad'),
    )
  }
  useShortcuts(open)
  const dialog = Shown === undefined ? null : <Shown onClose={() => setShown(undefined)} onShortcuts={() => open('shortcuts')} />
  return { dialog, open }
}
