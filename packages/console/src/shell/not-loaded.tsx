import { onlineManager } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'
import { SHELL_WORDS } from '../text/shell-words.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'

const errors = new WeakSet<object>()

addEventListener('vite:preloadError', ({ payload }) => {
  errors.add(payload)
  // The router reloads the page after some messages of browsers. A browser that is offline would then lose the console.
  if (!navigator.onLine) payload.message = SHELL_WORDS.offline
})

/** Returns whether code or styles of the console could not be loaded: the browser was offline, or a release has removed them. */
export function isNotLoaded(error: unknown): boolean {
  return errors.has(Object(error))
}

/** Returns what to say of a part of the page that could not be loaded. */
export function whyNotLoaded(): string {
  return `${SHELL_WORDS.notLoaded} ${navigator.onLine ? SHELL_WORDS.reloadHelp : `${SHELL_WORDS.offline}.`}`
}

/** Shown instead of a page that could not be loaded. When the browser comes back online, the page is loaded again. */
export function NotLoaded(): ReactNode {
  const online = useSyncExternalStore(onlineManager.subscribe, () => navigator.onLine)
  const wasOnline = useRef(online)
  useEffect(() => {
    if (online && !wasOnline.current) location.reload()
  }, [online])
  return (
    <Page title={online ? SHELL_WORDS.newVersion : SHELL_WORDS.offline}>
      <Empty
        title={SHELL_WORDS.notLoaded}
        help={online ? SHELL_WORDS.reloadHelp : SHELL_WORDS.offlineHelp}
        action={
          <Button why={online ? undefined : SHELL_WORDS.offline} onClick={() => location.reload()}>
            {SHELL_WORDS.reload}
          </Button>
        }
      />
    </Page>
  )
}
