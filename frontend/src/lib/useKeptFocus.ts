import { type RefObject, useEffect } from 'react';

/**
 * Moves the focus to the nearest heading when the focused element disappears. Otherwise nothing would have the focus,
 * and a screen reader would start at the top of the page. The move happens two frames later, so that a new page or a
 * closing dialog can set the focus first.
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
    // Some browsers send `focusout` for a removed element too. Only after the event is it clear whether the element
    // still exists.
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
 * The heading for the focus, in the nearest ancestor that still exists and has a heading. This is the last heading that
 * was above the lost element, or else the ancestor's first heading. Lists are skipped, because the first heading of a
 * list belongs to another row.
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
