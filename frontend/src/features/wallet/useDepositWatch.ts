import { useEffect, useRef, useState } from 'react';
import { useSession } from '../../api/session';
import type { DepositInvoice } from '../../api/types';
import { readDeposit } from './api';

export const POLL_MS = 5_000;
export const MOST_POLLS = 60;

export interface DepositWatch {
  /** Asks once, beside the regular asking; true when it was paid. */
  check: () => Promise<boolean>;
  /** The regular asking has come to its end. */
  stopped: boolean;
}

/**
 * Asks every five seconds, at most 60 times for an invoice, whether it was paid; and once more whenever it is opened
 * again, and whenever the balance on screen changes, as the server's hints make it do. `onPaid` is called once.
 */
export function useDepositWatch(
  invoice: DepositInvoice | null,
  open: boolean,
  onPaid: (invoiceId: string, credited: number) => void,
): DepositWatch {
  const id = invoice?.invoiceId ?? null;
  const polls = useRef({ id, count: 0 });
  const told = useRef<string | null>(null);
  const paid = useRef(onPaid);
  paid.current = onPaid;
  const [stoppedId, setStoppedId] = useState<string | null>(null);
  const asked = invoice?.amount ?? 0;

  async function check(): Promise<boolean> {
    if (id === null) return false;
    // An answer that does not come is no answer: the next asking is.
    const state = await readDeposit(id).catch(() => null);
    if (!state?.paid) return false;
    if (told.current !== id) {
      told.current = id;
      paid.current(id, state.credited ?? asked);
    }
    return true;
  }
  const latest = useRef(check);
  latest.current = check;

  useEffect(() => {
    if (id === null || !open) return;
    if (polls.current.id !== id) polls.current = { id, count: 0 };
    const timer = setInterval(() => {
      if (polls.current.count >= MOST_POLLS) {
        clearInterval(timer);
        setStoppedId(id);
        return;
      }
      polls.current.count += 1;
      void latest.current();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [id, open]);

  // It may have been paid while nobody looked, and the regular asking may have ended.
  useEffect(() => {
    if (open) void latest.current();
  }, [open]);

  const balance = useSession().user?.satsBalance;
  const before = useRef(balance);
  useEffect(() => {
    if (before.current === balance) return;
    before.current = balance;
    if (open) void latest.current();
  }, [balance, open]);

  return { check, stopped: id !== null && stoppedId === id };
}
