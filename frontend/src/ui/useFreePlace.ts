import { type RefObject, useLayoutEffect, useRef } from 'react';
import { type Box, freePlace, isFree, type Place } from './free-place';
import { currentHost } from './toast-store';

/** The minimum distance of a toast to the edges of the window, in pixels. */
const MARGIN = 16;
/** Elements that users press or type into. A label that contains its control counts as one element. */
const CONTROLS = 'a[href], button, input, select, textarea, summary, label:has(input)';
/** Elements that a toast should not cover either, because the user may want to read them. */
const WORTH_READING =
  'header:has(nav), [data-tone="attention"], [data-keep-clear], [role="dialog"], dialog > *';
const OWN = '[data-toast]';

/** The boxes of the visible elements under `root` that match `selector`, except those in a toast. */
function boxesOf(root: ParentNode, selector: string): Box[] {
  return [...root.querySelectorAll(selector)]
    .filter((element) => !element.closest(OWN))
    .map((element) => element.getBoundingClientRect())
    .filter(({ width, height }) => width > 1 && height > 1);
}

function otherToasts(own: Element): Box[] {
  return [...document.querySelectorAll<HTMLElement>(OWN)]
    .filter((element) => element !== own && element.style.visibility !== 'hidden')
    .map((element) => element.getBoundingClientRect());
}

/**
 * Places a toast as near to its corner as possible so that it covers no control. If there is no free place, the toast
 * stays in its corner, or is hidden until there is one if `onHidden` is given. Each time the toast is placed,
 * `onHidden` is told whether it is hidden. While a dialog is open, only the dialog counts, because the rest of the page
 * is inert.
 */
export function useFreePlace(
  toast: RefObject<HTMLElement | null>,
  corner: 'top' | 'bottom',
  onHidden?: (hidden: boolean) => void,
): void {
  const told = useRef(onHidden);
  told.current = onHidden;
  useLayoutEffect(() => {
    const element = toast.current;
    if (!element || !('ResizeObserver' in window)) return;
    let place: Place | null = null;
    function settle() {
      if (!element) return;
      const area: Box = {
        left: MARGIN,
        top: MARGIN,
        right: document.documentElement.clientWidth - MARGIN,
        bottom: window.innerHeight - MARGIN,
      };
      const size = { width: element.offsetWidth, height: element.offsetHeight };
      const root = currentHost() ?? document;
      const controls = [...boxesOf(root, CONTROLS), ...otherToasts(element)];
      const all = [...controls, ...boxesOf(root, WORTH_READING)];
      const wanted = {
        left: area.right - size.width,
        top: corner === 'top' ? area.top : area.bottom - size.height,
      };
      // A toast that covers nothing does not move. Otherwise it would move with every change of the page.
      if (place && isFree(place, size, all)) return;
      place = freePlace(size, area, wanted, all) ?? freePlace(size, area, wanted, controls);
      const { left, top } = place ?? wanted;
      Object.assign(element.style, { left: `${left}px`, top: `${top}px` });
      if (!told.current) return;
      element.style.visibility = place ? '' : 'hidden';
      told.current(place === null);
    }
    settle();
    return watchPage(element, settle);
  }, [toast, corner]);
}

/** Calls `onChange` in the next frame after a change of the page or of the element. Returns a function that ends this. */
function watchPage(element: Element, onChange: () => void): () => void {
  let frame = 0;
  function settle() {
    frame = 0;
    onChange();
  }
  function later() {
    frame ||= requestAnimationFrame(settle);
  }
  const changes = new MutationObserver(later);
  changes.observe(document.body, {
    childList: true,
    subtree: true,
    characterData: true,
    attributeFilter: ['class', 'hidden', 'open'],
  });
  const sizes = new ResizeObserver(later);
  sizes.observe(document.body);
  sizes.observe(element);
  window.addEventListener('scroll', later, { capture: true, passive: true });
  window.addEventListener('resize', later);
  return () => {
    cancelAnimationFrame(frame);
    changes.disconnect();
    sizes.disconnect();
    window.removeEventListener('scroll', later, { capture: true });
    window.removeEventListener('resize', later);
  };
}
