import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import { formatNumber, formatSigned } from '../../../lib/money';
import type { CurvePoint } from '../curves';
import styles from './Curves.module.css';

const HEIGHT = 220;
const FONT = '12px "Instrument Sans", system-ui, sans-serif';

interface CurveChartProps {
  points: readonly CurvePoint[];
  label: string;
}

/** Draws a curve. A table below the chart has the same figures for users who cannot see the chart. */
export default function CurveChart({ points, label }: CurveChartProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const chart = new UPlot(optionsFor(element), dataOf(points), element);
    const resized = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    const themed = new MutationObserver(() => chart.redraw());
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      resized.disconnect();
      themed.disconnect();
      chart.destroy();
    };
  }, [points]);
  return <div ref={place} className={styles.chart} role="img" aria-label={label} />;
}

/** The coordinates of the curve. The curve starts shortly before the first bet, at the net result before that bet. */
function dataOf(points: readonly CurvePoint[]): [number[], number[]] {
  const [first] = points;
  if (!first) return [[], []];
  const seconds = points.map(({ at }) => Date.parse(at) / 1000);
  const start = (seconds[0] ?? 0) - Math.max(((seconds.at(-1) ?? 0) - (seconds[0] ?? 0)) / 20, 60);
  return [
    [start, ...seconds],
    [first.net - first.change, ...points.map(({ net }) => net)],
  ];
}

/** The chart reads its colours from the element whenever it is drawn, because the theme may have changed. */
function optionsFor(element: HTMLElement): UPlot.Options {
  const colour = (name: 'color' | 'borderColor' | 'outlineColor') => () => getComputedStyle(element)[name];
  const line = { stroke: colour('borderColor'), width: 1 };
  const axis = { stroke: colour('outlineColor'), font: FONT, grid: line, ticks: line };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    series: [
      {},
      {
        stroke: colour('color'),
        width: 2,
        points: { show: true, size: 6 },
        paths: UPlot.paths.stepped?.({ align: 1 }),
      },
    ],
    axes: [axis, { ...axis, size: 72, values: (_chart, splits) => splits.map((net) => shortNet(net)) }],
  };
}

function shortNet(net: number): string {
  return Math.abs(net) < 1 && net !== 0 ? '' : net === 0 ? formatNumber(0) : formatSigned(net);
}
