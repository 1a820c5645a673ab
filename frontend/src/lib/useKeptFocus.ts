import { type RefObject, useEffect } from 'react';

/**
 * A button that goes once it has done its work would leave the focus nowhere, and whoever hears the page at its top: the
 * heading of the place where it was takes the focus. Two frames later, for a page that arrives or a dialog that closes
 * knows better where it belongs.
 */
export function useKeptFocus(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    let path: Element[] = [];
    let above: HTMLElement[] = [];
    const observer = new MutationObserver(() => {
      if (!path[0] || path[0].isConnected) return;
      const [places, headings] = [path, above];
      path = [];
      afterTwoFrames(() => isFocusLost() && takeFocus(headingAt(places, headings)));
    });
    function remember({ target }: FocusEvent) {
      if (!(element && target instanceof Element)) return;
      path = upTo(element, target);
      above = headingsIn(element).filter(
        (heading) => heading.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING,
      );
    }
    // Some browsers tell of a removal as if the focus had been moved; only a moment later is it known which it was.
    function forget({ target }: FocusEvent) {
      queueMicrotask(() => {
        if (target === path[0] && path[0]?.isConnected && document.activeElement !== target) path = [];
      });
    }
    element.addEventListener('focusin', remember);
    element.addEventListener('focusout', forget);
    observer.observe(element, { childList: true, subtree: true });
    return () => {
      element.removeEventListener('focusin', remember);
      element.removeEventListener('focusout', forget);
      observer.disconnect();
    };
  }, [root]);
}

function upTo(root: Element, from: Element): Element[] {
  const path: Element[] = [];
  for (let place: Element | null = from; place && root.contains(place); place = place.parentElement) {
    path.push(place);
  }
  return path;
}

function afterTwoFrames(act: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(act));
}

function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function headingsIn(place: Element): HTMLElement[] {
  return [...place.querySelectorAll<HTMLElement>('h1, h2, h3')];
}

/**
 * In the nearest place that is left, the last heading above, or the first of what has come instead. A list is passed over,
 * whose first heading is some other row's.
 */
function headingAt(places: readonly Element[], above: readonly HTMLElement[]): HTMLElement | undefined {
  for (const place of places) {
    const headings = place.isConnected && !place.matches('ul, ol') ? headingsIn(place) : [];
    if (headings[0]) return headings.findLast((heading) => above.includes(heading)) ?? headings[0];
  }
  return undefined;
}

function takeFocus(heading: HTMLElement | undefined): void {
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
