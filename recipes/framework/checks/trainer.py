"""A tiny model trains two steps with the Trainer; nothing is asked of a hub."""

import os

import torch
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments

shape = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
model = LlamaForCausalLM(LlamaConfig(vocab_size=64, num_key_value_heads=4, **shape))
before = model.model.embed_tokens.weight.detach().clone()
rows = [{"input_ids": torch.arange(16) + shift, "labels": torch.arange(16) + shift} for shift in range(8)]
arguments = TrainingArguments(
    output_dir="/tmp/out", max_steps=2, per_device_train_batch_size=2, use_cpu=True, report_to=[], save_strategy="no"
)
result = Trainer(model=model, args=arguments, train_dataset=rows).train()
assert result.global_step == 2, result
assert not torch.equal(before, model.model.embed_tokens.weight.cpu()), "no weight moved"
print(f"loss {result.training_loss:.3f}")
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
