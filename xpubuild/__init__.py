"""xpubuild: container image build pipeline as code for accelerator AI images."""
