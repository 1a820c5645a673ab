import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/client';
import { useSession } from '../../api/session';
import type { DepositInvoice } from '../../api/types';
import { readDeposit } from './api';

const POLL_MS = 5_000;
const MOST_POLLS = 60;
const OVERDUE_POLL_MS = 60_000;

export interface DepositWatch {
  /** Polls once, in addition to the regular polls. Returns true if the deposit is paid. Throws if the request fails. */
  check: () => Promise<boolean>;
  /** Whether the regular polls have ended. */
  stopped: boolean;
  /** Whether the invoice has expired, by the clock of the server. The clock of the device may be wrong. */
  expired: boolean;
}

/**
 * Asks the server whether a deposit is paid. While the dialog is open, it polls every five seconds, at most 60 times.
 * It polls once more when the dialog opens and when the balance on screen changes. After the expiry, it polls every
 * minute until the server says that the invoice has expired or is paid. `onPaid` is called once.
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
  const [expiredId, setExpiredId] = useState<string | null>(null);
  const asked = invoice?.amount ?? 0;

  async function check(): Promise<boolean> {
    if (id === null) return false;
    const state = await readDeposit(id);
    if (!state) throw new ApiError(401, 'not_signed_in', '');
    if (state.status === 'expired') setExpiredId(id);
    if (!state.paid) return false;
    if (told.current !== id) {
      told.current = id;
      paid.current(id, state.credited ?? asked);
    }
    return true;
  }
  // If a regular poll fails, the page waits for the next one.
  const poll = () => check().catch(() => undefined);
  const latest = useRef(poll);
  latest.current = poll;

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

  // The invoice may have been paid while the dialog was closed, so there is one poll when the dialog opens.
  useEffect(() => {
    if (open) void latest.current();
  }, [open]);

  const isCurrent = (other: string | null) => id !== null && other === id;
  const expired = isCurrent(expiredId);
  const expiresAt = invoice?.expiresAt;
  useEffect(() => {
    if (expiresAt === undefined || !open || expired) return;
    // The pause is there because the clocks of device and server usually differ a little.
    let timer = setTimeout(ask, new Date(expiresAt).getTime() - Date.now() + POLL_MS);
    // One poll is not enough, because it may fail, and because the clock of the device may be ahead.
    function ask() {
      timer = setTimeout(ask, OVERDUE_POLL_MS);
      void latest.current();
    }
    return () => clearTimeout(timer);
  }, [expiresAt, open, expired]);

  const balance = useSession().user?.satsBalance;
  const before = useRef(balance);
  useEffect(() => {
    if (before.current === balance) return;
    before.current = balance;
    if (open) void latest.current();
  }, [balance, open]);

  return { check, stopped: isCurrent(stoppedId), expired };
}
