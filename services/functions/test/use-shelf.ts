import { beShelf, loginUrlOf, openBrowser, openConnecting, type Page, SHELF_KEY } from './connecting.ts'
import type { Functions } from './support.ts'

/** Functions whose third party is the app Shelf, for the tests of a file. */
export function useShelf() {
  let onward: Functions
  beforeAll(async () => {
    onward = await openConnecting()
  })
  beforeEach(() => beShelf(onward))
  return {
    get onward() {
      return onward
    },
    /** What a user types. */
    shelf: (key = SHELF_KEY) => ({ api_key: key, url: onward.third.url }),
    async openShelf(userId: string): Promise<{ browser: ReturnType<typeof openBrowser>; page: Page }> {
      const browser = openBrowser()
      const page = await browser.open(await loginUrlOf(onward.user(userId), 'shelf'))
      return { browser, page }
    },
  }
}
