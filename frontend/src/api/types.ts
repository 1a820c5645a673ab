/** Short names for the types of the generated schema. `npm run api:types` generates the schema. */
import type { components } from './schema';

type Schemas = components['schemas'];

export type Achievement = Schemas['Achievement'];
export type AdminAction = Schemas['AdminAction'];
export type AdminWallet = Schemas['AdminWallet'];
export type AdminWithdrawal = Schemas['AdminWithdrawal'];
export type ApiKey = Schemas['ApiKey'];
export type ApiKeyScope = ApiKey['scopes'][number];
export type MadeApiKey = Schemas['MadeApiKey'];
export type Arbiter = Schemas['Arbiter'];
export type Bet = Schemas['Bet'];
export type Task = NonNullable<Bet['turn']>;
export type BetAction = Bet['actions'][number];
export type Config = Schemas['Config'];
export type BetIdea = Schemas['BetIdea'];
export type DepositInvoice = Schemas['DepositInvoice'];
export type DepositState = Schemas['DepositState'];
export type Factors = Schemas['Factors'];
export type FieldProblem = Schemas['FieldProblem'];
export type Message = Schemas['Message'];
export type Movement = Schemas['Movement'];
export type NewAuthenticatorApp = Schemas['NewAuthenticatorApp'];
export type NewBet = Schemas['NewBetJson'];
export type Notification = Schemas['Notification'];
export type NotificationPreferences = Schemas['NotificationPreferences'];
export type Passkey = Schemas['Passkey'];
export type Webhook = Schemas['Webhook'];
export type NewWebhook = Schemas['NewWebhook'];
export type Person = Schemas['Person'];
export type Problem = Schemas['Problem'];
export type Session = Schemas['Session'];
export type Stats = Schemas['Stats'];
export type TestInvoice = Schemas['TestInvoice'];
export type TimelineEvent = Schemas['TimelineEvent'];
export type UploadedPicture = Schemas['UploadedPicture'];
export type User = Schemas['User'];
export type Withdrawal = Schemas['Withdrawal'];
export type WithdrawalQuote = Schemas['WithdrawalQuote'];
export type WordingRemark = Schemas['WordingRemark'];

export type Side = Bet['creatorChoice'];
export type Obstacle = Schemas['Obstacle'];
export type ObstacleKind = Obstacle['kind'];
export type Outcome = NonNullable<Bet['proposedWinningOption']>;
export type Currency = Bet['currencyType'];
export type MovementKind = Movement['kind'];
export type WithdrawalStatus = Withdrawal['status'];
export type BetStatus = Bet['status'];
export type ResolutionMethod = Bet['resolutionMethod'];
export type NextEvent = Schemas['NextEvent']['event'];
export type SettledBy = NonNullable<Bet['settledBy']>;
export type CancelReason = NonNullable<Bet['cancelReason']>;
export type TimelineEventName = TimelineEvent['event'];

export interface PushSubscriptions {
  publicKey: string;
  subscriptions: PushDevice[];
}

/** A browser of the user that gets notifications by web push. */
export interface PushDevice {
  id: string;
  device: string | null;
  endpoint: string;
  createdAt: string;
  isCurrent: boolean;
  stopped: string | null;
}
