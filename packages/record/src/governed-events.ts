/** What the record says of behavioural contracts, of the governance contract, and of leave that a person gives. */
import type { SealedFile } from './sealed-file.js';

export interface GovernedFields {
  contract: {
    readonly contract: string;
    readonly clause_type: string;
    readonly clause_name: string;
    readonly severity: string;
    readonly action_taken: string;
    readonly judge: string;
    readonly details: string;
    readonly round?: number;
    readonly audit_run_id: string;
  };
  governance: {
    readonly stage_name: string;
    readonly decision: string;
    /** Of a call that was judged. */
    readonly tool?: string;
    readonly rule?: string;
    readonly risk?: string;
    readonly reason?: string;
    readonly receipt?: unknown;
    /** `sources.jsonl` of the attempt (V-8). */
    readonly sources?: SealedFile;
    readonly claims?: unknown;
    readonly postcondition?: unknown;
  };
  authorization: {
    readonly id: string;
    readonly state: 'requested' | 'granted' | 'denied' | 'used' | 'expired' | 'refused';
    readonly event_hash: string;
    readonly target?: string;
    readonly scope?: string;
    readonly by?: string;
    readonly via?: string;
    /** Of leave that was granted: RFC 3339. */
    readonly expires?: string;
    /** Why leave that was there was refused. */
    readonly reason?: string;
    /** Of a request: the call, and what whoever may give leave is told. */
    readonly tool?: string;
    readonly nth?: number;
    readonly rule?: string;
    readonly risks?: string;
    readonly recovery?: string;
  };
}
