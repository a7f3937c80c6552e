export const drawer = 1; // fails: flow/telling-names
