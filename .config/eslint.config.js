// Lint rules: typed TypeScript rules everywhere, React hook rules in the renderer.
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const root = new URL("..", import.meta.url).pathname;

export default tseslint.config(
  { basePath: root, ignores: ["node_modules/", ".vite/", "out/", "dist/", ".config/", "test-results/"] },
  {
    basePath: root,
    files: ["**/*.ts", "**/*.tsx"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: ["./tsconfig.json"], tsconfigRootDir: root } },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "no-restricted-exports": ["error", { restrictDefaultExports: { direct: true } }],
      "prefer-const": "error",
      eqeqeq: "error",
      "no-console": "error",
    },
  },
  {
    basePath: root,
    files: ["**/*.config.ts", "**/vite.*.ts"],
    rules: { "no-restricted-exports": "off" },
  },
  {
    basePath: root,
    files: ["renderer/**/*.{ts,tsx}"],
    extends: [reactHooks.configs.flat.recommended],
  },
);
