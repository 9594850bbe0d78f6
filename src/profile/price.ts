/**
 * What devices cost on one day, apart from their physics: prices move monthly, data sheets do not.
 * US dollars; per second where rented.
 */
export interface Prices {
  readonly name: string;
  /** Day for which the overlay was put together, ISO 8601. */
  readonly date: string;
  readonly entries: readonly DevicePrice[];
  readonly notes: string;
}

export interface DevicePrice {
  /** Canonical name of a hardware profile. */
  readonly device: string;
  readonly list?: ListPrice;
  /** Offers per hour, in no order. */
  readonly cloud: readonly CloudPrice[];
}

export interface ListPrice {
  /** US dollars. */
  readonly price: number;
  /** `machine`: the price is that of a whole computer or instance. */
  readonly scope: 'device' | 'machine';
  /** Launch MSRP, street price, kit divided by eight ... */
  readonly basis: string;
  /** Day of the price; absent where its source does not say. */
  readonly date?: string;
  readonly source: string;
}

export interface CloudPrice extends ListPrice {
  /** US dollars per second. */
  readonly price: number;
  readonly provider: string;
}
