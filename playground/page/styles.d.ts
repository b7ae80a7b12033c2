/** A style as text, for what stands in a shadow tree. */
declare module "*.css" {
  const text: string;
  export default text;
}

/** A drawing as text. */
declare module "*.svg" {
  const text: string;
  export default text;
}
