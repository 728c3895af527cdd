"""Which key a model needs, and whether it is there. Nothing here shows a key or loads litellm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from redline.context.model_table import answer
from redline.handoff.writers.failure import Failure, FailureKind
from redline.settings import Settings

# The variables that litellm 1.110 reads for the providers whose name does not tell them.
_VARIABLES: Mapping[str, tuple[str, ...]] = {
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "together_ai": ("TOGETHERAI_API_KEY", "TOGETHER_API_KEY"),
    "huggingface": ("HF_TOKEN", "HUGGINGFACE_API_KEY"),
    "text-completion-openai": ("OPENAI_API_KEY",),
    "cohere_chat": ("COHERE_API_KEY",),
    "fireworks_ai": ("FIREWORKS_AI_API_KEY", "FIREWORKS_API_KEY"),
    "dashscope": ("DASHSCOPE_API_KEY",),
    "moonshot": ("MOONSHOT_API_KEY",),
}
# These take no key, or log in by ways of their own that litellm knows.
_KEYLESS = frozenset(
    (
        "ollama",
        "ollama_chat",
        "lm_studio",
        "llamafile",
        "hosted_vllm",
        "vllm",
        "docker_model_runner",
    )
)
_OWN_LOGIN = frozenset(
    (
        "bedrock",
        "bedrock_converse",
        "vertex_ai",
        "sagemaker",
        "sagemaker_chat",
        "watsonx",
        "github_copilot",
        "azure",
        "azure_ai",
        "databricks",
        "snowflake",
        "oci",
    )
)
_LOCAL = frozenset(("localhost", "127.0.0.1", "::1", "0.0.0.0"))
_NO_KEY = "none"  # what servers that check no key are sent, because the client wants one


@dataclass(frozen=True, slots=True)
class Key:
    """`variable` is where the key was looked for, `value` what is sent (None: litellm's own way),
    `fault` says what is wrong. `needed` is false where a server of one's own checks none."""

    variable: str = ""
    value: str | None = field(default=None, repr=False)
    fault: Failure | None = None
    needed: bool = True

    @property
    def there(self) -> bool:
        """Whether the variable holds a key."""
        return self.value is not None and self.value != _NO_KEY


def provider_of(model: str) -> str | None:
    """The provider that litellm would ask for `model`, None where its name does not tell one."""
    prefix, slash, rest = model.partition("/")
    if slash and rest and prefix.replace("_", "").replace("-", "").isalnum():
        return prefix.lower()
    return answer(model, _provider)


def _provider(entry: object) -> str | None:
    value = entry.get("litellm_provider") if isinstance(entry, dict) else None
    return value if isinstance(value, str) and value else None


def key_of(model: str, settings: Settings, environment: Mapping[str, str]) -> Key:
    """The key for `model`: of the variable that `writer_key_env` names, or of its provider's."""
    provider = provider_of(model) or ""
    url = settings.writer_base_url
    local = provider in _KEYLESS or (urlsplit(url or "").hostname or "") in _LOCAL
    named = settings.writer_key_env
    variables = (named,) if named else _VARIABLES.get(provider, _by_name(provider))
    for variable in variables:
        if value := environment.get(variable, "").strip():
            return Key(variable, value, needed=not local)
    variable = variables[0] if variables else ""
    if named:
        return Key(variable, fault=_missing(f"${named} (writer_key_env)", named))
    if local:
        return Key(variable, _NO_KEY, needed=False)
    if provider in _OWN_LOGIN:
        return Key("", needed=False)
    if not provider:
        return Key(fault=_no_provider(model))
    return Key(variable, fault=_missing(" or ".join(f"${name}" for name in variables), variable))


def _by_name(provider: str) -> tuple[str, ...]:
    return (f"{provider.upper().replace('-', '_')}_API_KEY",) if provider else ()


def _missing(where: str, variable: str) -> Failure:
    return Failure(
        FailureKind.NO_KEY,
        f"there is no key in {where}",
        f"export {variable}=..., or name the variable that holds it in writer_key_env",
    )


def _no_provider(model: str) -> Failure:
    return Failure(
        FailureKind.NO_MODEL,
        f"nothing tells which provider has a model {model!r}",
        "write it as provider/model (anthropic/..., openai/...), or set writer_base_url",
    )
