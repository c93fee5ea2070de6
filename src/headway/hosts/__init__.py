"""Where Headway lives: agent programs and frameworks. One file each; import the one you use."""
