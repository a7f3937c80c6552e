export const size: number = "large";
