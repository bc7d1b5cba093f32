// Components in their states, for looking at them: `make gallery`.
import { mount } from "svelte";
import "../styles/tokens.css";
import "../styles/base.css";
import "../app/app.css";
import { setLanguage } from "$lib/texts.ts";
import Gallery from "./Gallery.svelte";

await setLanguage("en");
const target = document.getElementById("gallery");
if (target) mount(Gallery, { target });
