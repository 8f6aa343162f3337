FROM scratch AS fetch-builder
ADD --link --checksum=sha256:d7f459fe4fd247d830351c75686d3996ace3c6f3f728eb0e85a30b7ada0cef19 https://pypi.mirror.example/packages/3d/aa/26d64642d808de4a652579ef950d7cd2d37f080a8babf9c67c6b75fc4c3f/uv-0.13.9-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl /

FROM scratch AS fetch-environment
ADD --link --checksum=sha256:3790624780082365f47549d032f3770eeb2b1e8bd1f7b2e02dace1afa361b4ed https://pypi.mirror.example/packages/ef/7d/500c9ad20238fcfcb4cb9243eede163594d7020ce87bd9610c9e02771876/pip-24.3.1-py3-none-any.whl /

FROM scratch AS fetch-cuda
ADD --link --checksum=sha256:2fc8da60df463fdefa81e323eef2e36489e1c94335b5358bcb38360adf75ac9b https://pypi.mirror.example/packages/ae/71/1c91302526c45ab494c23f61c7a84aa568b8c1f9d196efa5993957faf906/nvidia_cublas_cu12-12.4.5.8-py3-none-manylinux2014_x86_64.whl /
ADD --link --checksum=sha256:9dec60f5ac126f7bb551c055072b69d85392b13311fcc1bcda2202d172df30fb https://pypi.mirror.example/packages/67/42/f4f60238e8194a3106d06a058d494b18e006c10bb2b915655bd9f6ea4cb1/nvidia_cuda_cupti_cu12-12.4.127-py3-none-manylinux2014_x86_64.whl /
ADD --link --checksum=sha256:a178759ebb095827bd30ef56598ec182b85547f1508941a3d560eb7ea1fbf338 https://pypi.mirror.example/packages/2c/14/91ae57cd4db3f9ef7aa99f4019cfa8d54cb4caa7e00975df6467e9725a9f/nvidia_cuda_nvrtc_cu12-12.4.127-py3-none-manylinux2014_x86_64.whl /
ADD --link --checksum=sha256:64403288fa2136ee8e467cdc9c9427e0434110899d07c779f25b5c068934faa5 https://pypi.mirror.example/packages/ea/27/1795d86fe88ef397885f2e580ac37628ed058a92ed2c39dc8eac3adf0619/nvidia_cuda_runtime_cu12-12.4.127-py3-none-manylinux2014_x86_64.whl /
ADD --link --checksum=sha256:f083fc24912aa410be21fa16d157fed2055dab1cc4b6934a0e03cba69eb242b9 https://pypi.mirror.example/packages/27/94/3266821f65b92b3138631e9c8e7fe1fb513804ac934485a8d05776e1dd43/nvidia_cufft_cu12-11.2.1.3-py3-none-manylinux2014_x86_64.whl /
ADD --link --checksum=sha256:a88f583d4e0bb643c49743469964103aa59f7f708d862c3ddb0fc07f851e3b8b https://pypi.mirror.example/packages/8a/6d/44ad094874c6f1b9c654f8ed939590bdc408349f137f9b98a3a23ccec411/nvidia_curand_cu12-10.3.5.147-py3-none-manylinux2014_x86_64.whl /
ADD --link --checksum=sha256:19e33fa442bcfd085b3086c4ebf7e8debc07cfe01e11513cc6d332fd918ac260 https://pypi.mirror.example/packages/3a/e1/5b9089a4b2a4790dfdea8b3a006052cfecff58139d5a4e34cb1a51df8d6f/nvidia_cusolver_cu12-11.6.1.9-py3-none-manylinux2014_x86_64.whl /
ADD --link --checksum=sha256:ea4f11a2904e2a8dc4b1833cc1b5181cde564edd0d5cd33e3c168eff2d1863f1 https://pypi.mirror.example/packages/db/f7/97a9ea26ed4bbbfc2d470994b8b4f338ef663be97b8f677519ac195e113d/nvidia_cusparse_cu12-12.3.1.170-py3-none-manylinux2014_x86_64.whl /
ADD --link --checksum=sha256:06b3b9b25bf3f8af351d664978ca26a16d2c5127dbd53c0497e28d1fb9611d57 https://pypi.mirror.example/packages/ff/ff/847841bacfbefc97a00036e0fce5a0f086b640756dc38caea5e1bb002655/nvidia_nvjitlink_cu12-12.4.127-py3-none-manylinux2014_x86_64.whl /
ADD --link --checksum=sha256:781e950d9b9f60d8241ccea575b32f5105a5baf4c2351cab5256a24869f12a1a https://pypi.mirror.example/packages/87/20/199b8713428322a2f22b722c62b8cc278cc53dffa9705d744484b5035ee9/nvidia_nvtx_cu12-12.4.127-py3-none-manylinux2014_x86_64.whl /

FROM scratch AS fetch-cudnn
ADD --link --checksum=sha256:165764f44ef8c61fcdfdfdbe769d687e06374059fbb388b6c89ecb0e28793a6f https://pypi.mirror.example/packages/9f/fd/713452cd72343f682b1c7b9321e23829f00b842ceaedcda96e742ea0b0b3/nvidia_cudnn_cu12-9.1.0.70-py3-none-manylinux2014_x86_64.whl /

FROM scratch AS fetch-nccl
ADD --link --checksum=sha256:8579076d30a8c24988834445f8d633c697d42397e92ffc3f63fa26766d25e0a0 https://pypi.mirror.example/packages/df/99/12cd266d6233f47d00daf3a72739872bdc10267d0383508b0b9c84a18bb6/nvidia_nccl_cu12-2.21.5-py3-none-manylinux2014_x86_64.whl /

FROM scratch AS fetch-torch
ADD --link --checksum=sha256:bc5dd2abb727a5319567b7a813e6a2e7318c39f4f487cfe6c89c6f9c7d25197d https://pypi.mirror.example/packages/31/80/3a54838c3fb461f6fec263ebf3a3a41771bd05190238de3486aae8540c36/jinja2-3.1.4-py3-none-any.whl /
ADD --link --checksum=sha256:a123e330ef0853c6e822384873bef7507557d8e4a082961e1defa947aa59ba84 https://pypi.mirror.example/packages/f1/a4/aefb044a2cd8d7334c8a47d3fb2c9f328ac48cb349468cc31c20b539305f/MarkupSafe-3.0.2-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl /
ADD --link --checksum=sha256:a0b2b9fe80bbcd81a6647ff13108738cfb482d481d826cc0e02f5b35e5c88d2c https://pypi.mirror.example/packages/43/e3/7d92a15f894aa0c9c4b49b8ee9ac9850d6e63b03c9c32c0367a13ae62209/mpmath-1.3.0-py3-none-any.whl /
ADD --link --checksum=sha256:df5d4365b724cf81b8c6a7312509d0c22386097011ad1abe274afd5e9d3bbc5f https://pypi.mirror.example/packages/b9/54/dd730b32ea14ea797530a4479b2ed46a6fb250f682a9cfb997e968bf0261/networkx-3.4.2-py3-none-any.whl /
ADD --link --checksum=sha256:45c566eb10b8967d71bf1ab8e4a525e5a93519e29ea071459ce517f6b903d7fa https://pypi.mirror.example/packages/39/63/b3fc299528d7df1f678b0666002b37affe6b8751225c3d9c12cf530e73ed/pillow-11.0.0-cp311-cp311-manylinux_2_28_x86_64.whl /
ADD --link --checksum=sha256:db36cdc64bf61b9b24578b6f7bab1ecdd2452cf008f34faa33776680c26d66f8 https://pypi.mirror.example/packages/b2/fe/81695a1aa331a842b582453b605175f419fe8540355886031328089d840a/sympy-1.13.1-py3-none-any.whl /
ADD --link --checksum=sha256:de5b7d6740c4b636ef4db92be922f0edc425b65ed78c5076c43c42d362a45457 https://pypi.mirror.example/packages/d1/35/e8b2daf02ce933e4518e6f5682c72fd0ed66c15910ea1fb4168f442b71c4/torch-2.5.1-cp311-cp311-manylinux1_x86_64.whl /
ADD --link --checksum=sha256:7af3f7f92fd33bc9f036a60cdeda4cbeb6bccebd18eae89776dd1e8ed042672e https://pypi.mirror.example/packages/41/33/0f21b15f8e231bb55578f6b32e8c18675585b7bf97cb0aee96b1591e4193/torchaudio-2.5.1-cp311-cp311-manylinux1_x86_64.whl /
ADD --link --checksum=sha256:86f6523dee420000fe14c3527f6c8e0175139fda7d995b187f54a0b0ebec7eb6 https://pypi.mirror.example/packages/de/e9/e190ecec448d5a2abad8348cf085fcb39962a491e3f40dcb023721e04feb/torchvision-0.20.1-cp311-cp311-manylinux1_x86_64.whl /
ADD --link --checksum=sha256:0f34f6e7885d1bf0eaaf7ba875a5f0ce6f3c13ba98f9503651c1e6dc6757ed5c https://pypi.mirror.example/packages/86/17/d9a5cf4fcf46291856d1e90762e36cbabd2a56c7265da0d1d9508c8e3943/triton-3.1.0-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl /

FROM scratch AS fetch-accelerate
ADD --link --checksum=sha256:61edd81762131b8d4bede008643fa1e1f3bf59bec710ebda9771443e24feae02 https://pypi.mirror.example/packages/d1/d5/0050b2820a1e709ffa623f9a9e8ae42d0903535f2150613cbfeb7f16932a/accelerate-1.1.1-py3-none-any.whl /

FROM scratch AS fetch-debug
ADD --link --checksum=sha256:8bf2f3702cef367a489faa45177b41a6c31b2a3e5bd78c978d44e29340152f5a https://pypi.mirror.example/packages/c9/c1/5e012669ebb687e546dc99fcfc4861ebfcf3a337b7a41af945df23140bb5/py_spy-0.4.0-py2.py3-none-manylinux_2_5_x86_64.manylinux1_x86_64.whl /
ADD --link --checksum=sha256:a2ab4d140ed7e066170f0089019ad729a241be80d2fbceccc89fd295212d7751 https://pypi.mirror.example/packages/bc/17/a35ce925629b108e975ba12ffd4a16a3b3b7666421f6af5cec2f750b447a/pystack-1.4.1-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl /

FROM scratch AS fetch-deepspeed-sdist
ADD --link --checksum=sha256:60e7c044b7fc386cdad1206212d22b6963ea551f656ed51f7cb34b299459bf2c https://pypi.mirror.example/packages/34/c5/dfa824defc1919289a00cbb722aee92cee85ce1e11f7349779235dbe4810/deepspeed-0.15.4.tar.gz /
ADD --link --checksum=sha256:ce74b49e8f7110f9bf04883b730f4765b774ef3ef28f722cce7c273d253aaf7d https://pypi.mirror.example/packages/55/21/47d163f615df1d30c094f6c8bbb353619274edccf0327b185cc2493c2c33/setuptools-75.6.0-py3-none-any.whl /
ADD --link --checksum=sha256:708e7481cc80179af0e556bbf0cc00b8444c7321e2700b8d8580231d13017248 https://pypi.mirror.example/packages/0b/2c/87f3254fd8ffd29e4c02732eee68a83a1d3c346ae39bc6822dcbcb697f2b/wheel-0.45.1-py3-none-any.whl /

FROM scratch AS fetch-deepspeed
ADD --link --checksum=sha256:1f02e8b43a8fbbc3f3e0d4f0f4bfc8131bcb4eebe8849b8e5c773f3a1c582a53 https://pypi.mirror.example/packages/78/b6/6307fbef88d9b5ee7421e68d78a9f162e0da4900bc5f5793f6d3d0e34fb8/annotated_types-0.7.0-py3-none-any.whl /
ADD --link --checksum=sha256:65713cdcf13214fb554eb8b4ef803419733f4f5e551047c9b711098ab7186b89 https://pypi.mirror.example/packages/1f/7f/13cd798d180af4bf4c0ceddeefba2b864a63c71645abc0308b768d67bb81/hjson-3.1.0-py3-none-any.whl /
ADD --link --checksum=sha256:5e1da8f11a3dd397f0a32c76165cf0c4eb95b31013a94f6ecc0b280c05c91b59 https://pypi.mirror.example/packages/a8/a1/ad7b84b91ab5a324e707f4c9761633e357820b011a01e34ce658c1dda7cc/msgpack-1.1.0-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl /
ADD --link --checksum=sha256:33d258809c8eda81f9d80e18a081a6eef3215e5fd1ba8902400d786641994e89 https://pypi.mirror.example/packages/62/54/787bb70e6af2f1b1853af9bab62a5e7cb35b957d72daf253b7f3c653c005/ninja-1.11.1.2-py3-none-manylinux_2_12_x86_64.manylinux2010_x86_64.whl /
ADD --link --checksum=sha256:859625bc251f64e21f077d099d4162689c762b5d6a4c3c97553d56241c9674d5 https://pypi.mirror.example/packages/e0/a9/023730ba63db1e494a271cb018dcd361bd2c917ba7004c3e49d5daf795a2/py_cpuinfo-9.0.0-py3-none-any.whl /
ADD --link --checksum=sha256:cfb96e45951117c3024e6b67b25cdc33a3cb7b2fa62e239f7af1378358a1d99e https://pypi.mirror.example/packages/d5/74/da832196702d0c56eb86b75bfa346db9238617e29b0b7ee3b8b4eccfe654/pydantic-2.10.2-py3-none-any.whl /
ADD --link --checksum=sha256:acc07b2cfc5b835444b44a9956846b578d27beeacd4b52e45489e93276241025 https://pypi.mirror.example/packages/4a/c1/3e38cd777ef832c4fdce11d204592e135ddeedb6c6f525478a53d1c7d3e5/pydantic_core-2.27.1-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl /

FROM scratch AS fetch-megatron-core
ADD --link --checksum=sha256:b2c73c9e6fa58c93f3b1833ffd32bc08dc29b5d28fda7375c5a5e3a8aaeb3db8 https://pypi.mirror.example/packages/d7/bf/4eb7772f2a5830dd11d0590fd56ce1dff8c82a398d893bfb583116d423ed/megatron_core-0.9.0-cp311-cp311-manylinux_2_24_x86_64.manylinux_2_28_x86_64.whl /

FROM scratch AS fetch-transformers
ADD --link --checksum=sha256:f2a19f302cd1ce5dd01a9099aaa19cae6173306d1302a43b627f62e21cf18ac0 https://pypi.mirror.example/packages/bf/ce/0d0e61429f603bac433910d99ef1a02ce45a8967ffbe3cbee48599e62d88/regex-2024.11.6-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl /
ADD --link --checksum=sha256:453c7769d22231960ee0e883d1005c93c68015025a5e4ae56275406d94a3c907 https://pypi.mirror.example/packages/50/f6/2841de926bc4118af996eaf0bdf0ea5b012245044766ffc0347e6c968e63/tokenizers-0.20.3-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl /
ADD --link --checksum=sha256:c921f4406b78e6518c97b618c5acd1cf8a4f2315b6b727f4bf9e01496eef849c https://pypi.mirror.example/packages/ed/ad/c9b96572ab7994e73c64588f8875741823f2daba70e746547fff9a2d9a54/transformers-4.46.2-py3-none-any.whl /

FROM scratch AS fetch-shared
ADD --link --checksum=sha256:922820b53db7a7257ffbda3f597266d435245903d80737e34f8a45ff3e3230d8 https://pypi.mirror.example/packages/12/90/3c9ff0512038035f59d279fddeb79f5f1eccd8859f06d6163c58798b9487/certifi-2024.8.30-py3-none-any.whl /
ADD --link --checksum=sha256:3710a9751938947e6327ea9f3ea6332a09bf0ba0c09cae9cb1f250bd1f1549bc https://pypi.mirror.example/packages/eb/5b/6f10bad0f6461fa272bfbbdf5d0023b5fb9bc6217c92bf068fa5a99820f5/charset_normalizer-3.4.0-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl /
ADD --link --checksum=sha256:2082e5703d51fbf98ea75855d9d5527e33d8ff23099bec374a134febee6946b0 https://pypi.mirror.example/packages/b9/f8/feced7779d755758a52d1f6635d990b8d98dc0a29fa568bbe0625f18fdf3/filelock-3.16.1-py3-none-any.whl /
ADD --link --checksum=sha256:03b9a6785766a4de40368b88906366755e2819e758b83705c88cd7cb5fe81871 https://pypi.mirror.example/packages/c6/b2/454d6e7f0158951d8a78c2e1eb4f69ae81beb8dca5fee9809c6c99e9d0d0/fsspec-2024.10.0-py3-none-any.whl /
ADD --link --checksum=sha256:e66aa99e569c2d5419240a9e553ad07245a5b1300350bfbc5a4945cf7432991b https://pypi.mirror.example/packages/95/9b/3068fb3ae0b498eb66960ca5f4d92a81c91458cacd4dc17bfa6d40ce90fb/huggingface_hub-0.26.3-py3-none-any.whl /
ADD --link --checksum=sha256:946d195a0d259cbba61165e88e65941f16e9b36ea6ddb97f00452bae8b1287d3 https://pypi.mirror.example/packages/76/c6/c88e154df9c4e1a2a66ccf0005a88dfb2650c1dffb6f5ce603dfbd452ce3/idna-3.10-py3-none-any.whl /
ADD --link --checksum=sha256:666dbfb6ec68962c033a450943ded891bed2d54e6755e35e5835d63f4f6931d5 https://pypi.mirror.example/packages/3a/d0/edc009c27b406c4f9cbc79274d6e46d634d139075492ad055e3d68445925/numpy-1.26.4-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl /
ADD --link --checksum=sha256:09abb1bccd265c01f4a3aa3f7a7db064b36514d2cba19a2f694fe6150451a759 https://pypi.mirror.example/packages/88/ef/eb23f262cca3c0c4eb7ab1933c3b1f03d021f2c48f54763065b6f0e321be/packaging-24.2-py3-none-any.whl /
ADD --link --checksum=sha256:498c6979f9c6637ebc3a73b3f87f9eb1ec24e1ce53a7c5173b8508981614a90b https://pypi.mirror.example/packages/58/4d/8245e6f76a93c98aab285a43ea71ff1b171bcd90c9d238bf81f7021fb233/psutil-6.1.0-cp36-abi3-manylinux_2_12_x86_64.manylinux2010_x86_64.manylinux_2_17_x86_64.manylinux2014_x86_64.whl /
ADD --link --checksum=sha256:3ad2a3decf9aaba3d29c8f537ac4b243e36bef957511b4766cb0057d32b0be85 https://pypi.mirror.example/packages/75/e4/2c27590dfc9992f73aabbeb9241ae20220bd9452df27483b6e56d3975cc5/PyYAML-6.0.2-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl /
ADD --link --checksum=sha256:70761cfe03c773ceb22aa2f671b4757976145175cdfca038c02654d061d6dcc6 https://pypi.mirror.example/packages/f9/9b/335f9764261e915ed497fcdeb11df5dfd6f7bf257d4a6a2a686d80da4d54/requests-2.32.3-py3-none-any.whl /
ADD --link --checksum=sha256:a6c19feda32b931cae0acd42748a670bdf56bee6476a046af20181ad3fee4090 https://pypi.mirror.example/packages/e6/ee/69e498a892f208bd1da4104d4b9be887f8611bf4942144718b6738482250/safetensors-0.4.5-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl /
ADD --link --checksum=sha256:ce74b49e8f7110f9bf04883b730f4765b774ef3ef28f722cce7c273d253aaf7d https://pypi.mirror.example/packages/55/21/47d163f615df1d30c094f6c8bbb353619274edccf0327b185cc2493c2c33/setuptools-75.6.0-py3-none-any.whl /
ADD --link --checksum=sha256:26445eca388f82e72884e0d580d5464cd801a3ea01e63e5601bdff9ba6a48de2 https://pypi.mirror.example/packages/d0/30/dc54f88dd4a2b5dc8a0279bdd7270e735851848b762aeb1c1184ed1f6b14/tqdm-4.67.1-py3-none-any.whl /
ADD --link --checksum=sha256:04e5ca0351e0f3f85c6853954072df659d0d13fac324d0072316b67d7794700d https://pypi.mirror.example/packages/26/9f/ad63fc0248c5379346306f8668cda6e2e2e9c95e01216d2b8ffd9ff037d0/typing_extensions-4.12.2-py3-none-any.whl /
ADD --link --checksum=sha256:ca899ca043dcb1bafa3e262d73aa25c465bfb49e0bd9dd5d59f1d0acba2f8fac https://pypi.mirror.example/packages/ce/d9/5f4c13cecde62396b0d3fe530a50ccea91e7dfc1ccf0e09c228841bb5ba8/urllib3-2.2.3-py3-none-any.whl /

FROM scratch AS fetch-system
ADD --link --checksum=sha256:83c3e20b53e1fbd84d764c3ba27d26a0376e361ae5d7fb37120196934dd87424 http://debian.mirror.example/debian/pool/main/b/binutils/binutils_2.40-2_amd64.deb /
ADD --link --checksum=sha256:ab314134f43a0891a48f69a9bc33d825da748fa5e0ba2bebb7a5c491b026f1a0 http://debian.mirror.example/debian/pool/main/b/binutils/binutils-common_2.40-2_amd64.deb /
ADD --link --checksum=sha256:2d7ea8a570d768224d7f2424abbe6f373d2154865a1fa7f56c80d43ecf492521 http://debian.mirror.example/debian/pool/main/b/binutils/binutils-x86-64-linux-gnu_2.40-2_amd64.deb /
ADD --link --checksum=sha256:a63db920f7aa1857a57beab185423deffb6111fa09437a99bbb4ef724fb7ba78 http://debian.mirror.example/debian/pool/main/g/gcc-defaults/cpp_12.2.0-3_amd64.deb /
ADD --link --checksum=sha256:fedbb98e877adde83c983c6071537ea25ac52b277ac6e4637d85025949ca1454 http://debian.mirror.example/debian/pool/main/g/gcc-12/cpp-12_12.2.0-14%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:0dd9b6bf7a0bd11af2d68a52ec44c2a223fa7c11f9104c36ce1047e1137d4a8f http://debian.mirror.example/debian/pool/main/c/curl/curl_7.88.1-10%2bdeb12u15_amd64.deb /
ADD --link --checksum=sha256:26c451a660728cf7c15548a281e17eef2f36fab28499371e83fc2d3accb499d7 http://debian.mirror.example/debian/pool/main/g/gcc-defaults/g%2b%2b_12.2.0-3_amd64.deb /
ADD --link --checksum=sha256:68b182badae4ace7d472f1393c559d3532a95a2d70817498b10bb481d2627251 http://debian.mirror.example/debian/pool/main/g/gcc-12/g%2b%2b-12_12.2.0-14%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:bb63b0fb2797e2a3a294dab8a02614930c557ec1f4ea96637c244b8b5f87e630 http://debian.mirror.example/debian/pool/main/g/gcc-defaults/gcc_12.2.0-3_amd64.deb /
ADD --link --checksum=sha256:b46f33cc2ec245e435e043807038cecf4b201ef004800e9dfc1455240360e49d http://debian.mirror.example/debian/pool/main/g/gcc-12/gcc-12_12.2.0-14%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:65e29803ae582f0094c0412eca8032f2a5a1188664c59e14c35b9528fc81a9a5 http://debian.mirror.example/debian/pool/main/g/gdb/gdb_13.1-3_amd64.deb /
ADD --link --checksum=sha256:0e31f33b133a0fe9b7856e25f35d12e05845fad1fc52e485bcb0f5b2bd921860 http://debian.mirror.example/debian/pool/main/g/genders/genders_1.22-1%2bb5_amd64.deb /
ADD --link --checksum=sha256:637a85ddd6247fab13bdd0592f2f39aff04ce4dbf0655d3ab553ac359a38ce6f http://debian.mirror.example/debian/pool/main/g/git/git_2.39.5-0%2bdeb12u3_amd64.deb /
ADD --link --checksum=sha256:904dbd8dbc3db34c6780fb0abfe35816d4a90a490126ef0a055a77a0c5dcab82 http://debian.mirror.example/debian/pool/main/g/git/git-man_2.39.5-0%2bdeb12u3_all.deb /
ADD --link --checksum=sha256:3c9907fd96a4ae7effb5faa178bd3648344a521f6bcca2c23c9f2dd214cf1192 http://debian.mirror.example/debian/pool/main/r/rdma-core/ibverbs-providers_44.0-2_amd64.deb /
ADD --link --checksum=sha256:610423d011908d21d8bbda185af96d63cd8b3b8a90ab187e0992253eae249049 http://debian.mirror.example/debian/pool/main/r/rdma-core/ibverbs-utils_44.0-2_amd64.deb /
ADD --link --checksum=sha256:1204b29e916e836267096d0b9d778106752f821ebde0d281539008b4386d9070 http://debian.mirror.example/debian/pool/main/i/iproute2/iproute2_6.1.0-3_amd64.deb /
ADD --link --checksum=sha256:3c4ee8ce5e0f625e1169da9584e309c375a8a68e22de5821461d14446825cc1a http://debian.mirror.example/debian/pool/main/l/less/less_590-2.1%7edeb12u2_amd64.deb /
ADD --link --checksum=sha256:2d5a31e04e7471e71288832e004a8f8db78c2017ba11fa202f3e36e3ea21b2eb http://debian.mirror.example/debian/pool/main/liba/libaio/libaio-dev_0.3.113-4_amd64.deb /
ADD --link --checksum=sha256:d1476e4beab3d85f8a7d31de94c27472711ed3ef399ce70708e24b259426125b http://debian.mirror.example/debian/pool/main/liba/libaio/libaio1_0.3.113-4_amd64.deb /
ADD --link --checksum=sha256:e7ac5d797d7d438a130674a8e463530f06aa02ecf919ca054d75eaa2f7849ec7 http://debian.mirror.example/debian/pool/main/g/gcc-12/libasan8_12.2.0-14%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:fbd4e154a6b444229ea002cc209df099209c0adc09102e5fd21239a3d2b55e2d http://debian.mirror.example/debian/pool/main/g/gcc-12/libatomic1_12.2.0-14%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:07d384fe6a2d83b0e98774af0adc2222b2550454a7ea9a19d40f942fe3c49576 http://debian.mirror.example/debian/pool/main/b/babeltrace/libbabeltrace1_1.5.11-1%2bb2_amd64.deb /
ADD --link --checksum=sha256:fcf55b99e5f8a78f3c8ce9b6957f1024f394cf20c196b100d308a57e43547710 http://debian.mirror.example/debian/pool/main/b/binutils/libbinutils_2.40-2_amd64.deb /
ADD --link --checksum=sha256:e95ab82396a81f746e1b8bf40f54f13770318f2999f66f5b2768a27a6f966eae http://debian.mirror.example/debian/pool/main/b/boost1.74/libboost-regex1.74.0_1.74.0%2bds1-21_amd64.deb /
ADD --link --checksum=sha256:5e7505ef77ebc84ad0203411e4afdeb8a98f40fb7f78f013aa4dd8710e49f8ed http://debian.mirror.example/debian/pool/main/libb/libbpf/libbpf1_1.1.2-0%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:e27b3d655fa6fadd7a56f706687e94573c0af68b7d6df394a32a381a3a6c6d8b http://debian.mirror.example/debian-security/pool/updates/main/b/brotli/libbrotli1_1.0.9-2%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:bb31cc8b40f962a85b2cec970f7f79cc704a1ae4bad24257a822055404b2c60b http://debian.mirror.example/debian/pool/main/libb/libbsd/libbsd0_0.11.7-2_amd64.deb /
ADD --link --checksum=sha256:f61d923b703401023bec2ac3d9d1c9ad7341930fbe11736f7f5ef64b489d03c4 http://debian.mirror.example/debian/pool/main/g/glibc/libc-dev-bin_2.36-9%2bdeb12u14_amd64.deb /
ADD --link --checksum=sha256:0218fc2befcd784c1b0c6292c0a137ce89fad054efaa579ad083bee0f2c01aae http://debian.mirror.example/debian/pool/main/g/glibc/libc6-dev_2.36-9%2bdeb12u14_amd64.deb /
ADD --link --checksum=sha256:e7e14ebae53ef34c881a557e0a6d125b5e6721b692999045cf6af962daebe8d6 http://debian.mirror.example/debian/pool/main/libc/libcap2/libcap2-bin_2.66-4%2bdeb12u3%2bb1_amd64.deb /
ADD --link --checksum=sha256:8cbd111e1ad1c1357afb18f916c88c7ebb8cc860b8fac04ccc66a9eefe5a53af http://debian.mirror.example/debian/pool/main/libc/libcbor/libcbor0.8_0.8.0-2%2bb1_amd64.deb /
ADD --link --checksum=sha256:4ee6009633003f47de98333ea7f7d8835ec563ae2ac4f30251dbfee04d75d46b http://debian.mirror.example/debian/pool/main/g/gcc-12/libcc1-0_12.2.0-14%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:81ccd29130f75a9e3adabc80e61921abff42f76761e1f792fa2d1bb69af7f52f http://debian.mirror.example/debian/pool/main/libx/libxcrypt/libcrypt-dev_4.4.33-2_amd64.deb /
ADD --link --checksum=sha256:ef1dfcf22de41ea90ebd3d505447ccccd999e96b85aa777a1d7d981dc3b347aa http://debian.mirror.example/debian/pool/main/b/binutils/libctf-nobfd0_2.40-2_amd64.deb /
ADD --link --checksum=sha256:3fb7b6f326be3fae4a87a3d33b9269bd06c1e4346a24bd737f265067e3b7427f http://debian.mirror.example/debian/pool/main/b/binutils/libctf0_2.40-2_amd64.deb /
ADD --link --checksum=sha256:bf430ecf80f7808704e0187cddc582fd57fc98789ea356d4797651edad387ef3 http://debian.mirror.example/debian/pool/main/c/curl/libcurl3-gnutls_7.88.1-10%2bdeb12u15_amd64.deb /
ADD --link --checksum=sha256:3042904de01f9c4fbdcf1452b8f81abedcf2b015f9b9deba109063322b5bd68b http://debian.mirror.example/debian/pool/main/c/curl/libcurl4_7.88.1-10%2bdeb12u15_amd64.deb /
ADD --link --checksum=sha256:447be2fea4f171c32b32ea172ef83d12c6fc39636bb2bd9f95242b8ab4560369 http://debian.mirror.example/debian/pool/main/e/elfutils/libdebuginfod-common_0.188-2.1_all.deb /
ADD --link --checksum=sha256:9650db2043d4e231a355940467e47dd0b4727700c2ce150010f03baaabfb0d0b http://debian.mirror.example/debian/pool/main/e/elfutils/libdebuginfod1_0.188-2.1_amd64.deb /
ADD --link --checksum=sha256:ffd7b1bad982ad1afd9c2b75ab2edd18e229508df731a8f4d8443f093a91442f http://debian.mirror.example/debian/pool/main/e/elfutils/libdw1_0.188-2.1_amd64.deb /
ADD --link --checksum=sha256:1cf14abf2716d3279db12d0657a5737cf70074a1e71d3bdf73206625e3c89ce6 http://debian.mirror.example/debian/pool/main/libe/libedit/libedit2_3.1-20221030-2_amd64.deb /
ADD --link --checksum=sha256:619add379c606b3ac6c1a175853b918e6939598a83d8ebadf3bdfd50d10b3c8c http://debian.mirror.example/debian/pool/main/e/elfutils/libelf1_0.188-2.1_amd64.deb /
ADD --link --checksum=sha256:5a466348531b9c38c8e5ccb18c231f27a98b9fdab61b37ea22592553de5d2ced http://debian.mirror.example/debian/pool/main/libe/liberror-perl/liberror-perl_0.17029-2_all.deb /
ADD --link --checksum=sha256:464ace3714faa77e3a6e2beada29481a0e28a48f9db032d6fc8b6f7b6073bb01 http://debian.mirror.example/debian-security/pool/updates/main/libe/libevent/libevent-core-2.1-7_2.1.12-stable-8%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:cbc0ed5896ce969333bd6c998cf902bfd6d8eb8e8590561b3e155bea7864204b http://debian.mirror.example/debian-security/pool/updates/main/libe/libevent/libevent-pthreads-2.1-7_2.1.12-stable-8%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:745288d31c0819f391312c953508c234a81e5bbde1d4609be397c308a489112c http://debian.mirror.example/debian-security/pool/updates/main/e/expat/libexpat1-dev_2.5.0-1%2bdeb12u5_amd64.deb /
ADD --link --checksum=sha256:1df0b3acb9a55e43152621015f941457fe63cb9866868f2c2df2c20d34604a22 http://debian.mirror.example/debian/pool/main/libf/libfabric/libfabric1_1.17.0-3_amd64.deb /
ADD --link --checksum=sha256:dba89cd91adcb886ce1972122e55768aa3652cb562a6b26c5983c2d482a30a1e http://debian.mirror.example/debian/pool/main/libf/libfido2/libfido2-1_1.12.0-2%2bb1_amd64.deb /
ADD --link --checksum=sha256:d720259380a84f2ffc6fe516eff5cbe9c8a005138e8d6a5748747ba4b3404a82 http://debian.mirror.example/debian/pool/main/g/gcc-12/libgcc-12-dev_12.2.0-14%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:fa29ac99d3150bd32d56587153dba4997042714145cf2a6106ff70ad6ca650b5 http://debian.mirror.example/debian/pool/main/g/genders/libgenders0_1.22-1%2bb5_amd64.deb /
ADD --link --checksum=sha256:7ff85197685d89e150e342b29a59aab1beee400050ba7da73de81cd999ffee5a http://debian.mirror.example/debian/pool/main/g/glib2.0/libglib2.0-0_2.74.6-2%2bdeb12u9_amd64.deb /
ADD --link --checksum=sha256:48fec46bda7f5b1638b9e959889bfbc20491247d402d120bb152687eb48143d7 http://debian.mirror.example/debian/pool/main/g/gcc-12/libgomp1_12.2.0-14%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:a3c4092d84f19d13caf90f3c96eec53db8819f0e3a5247434944d71ed75fa53d http://debian.mirror.example/debian/pool/main/b/binutils/libgprofng0_2.40-2_amd64.deb /
ADD --link --checksum=sha256:d8245d4c857b40850305e69991cba309ca699de27cfb131c7a139c3ada2bb0f5 http://debian.mirror.example/debian/pool/main/h/hwloc/libhwloc-plugins_2.9.0-1_amd64.deb /
ADD --link --checksum=sha256:4e7194b5d9adbb1a7d11a9501a4be4a4fa22876b69c73b7998056f552962c0e4 http://debian.mirror.example/debian/pool/main/h/hwloc/libhwloc15_2.9.0-1_amd64.deb /
ADD --link --checksum=sha256:78e87d12fb642bc41b04cb2e2f3f2f23cee14b89978a846b83defe945f388f72 http://debian.mirror.example/debian/pool/main/r/rdma-core/libibverbs-dev_44.0-2_amd64.deb /
ADD --link --checksum=sha256:35054815259fee46173240254246d03b673a5cd5c528aaac96fd15ac428a8d59 http://debian.mirror.example/debian/pool/main/r/rdma-core/libibverbs1_44.0-2_amd64.deb /
ADD --link --checksum=sha256:f7f6f99c6d7b025914df2447fc93e11d22c44c0c8bdd8b6f36691c9e7ddcef88 http://debian.mirror.example/debian/pool/main/i/icu/libicu72_72.1-3%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:d3687e2b7654a6450dbdfbadde216ce08cd84f52155f70cd7104309f897e62e5 http://debian.mirror.example/debian/pool/main/i/intel-processor-trace/libipt2_2.0.5-1_amd64.deb /
ADD --link --checksum=sha256:ebff0b2f8b220c74224197523019366e97ee4770d464bebc48e4865114e4da0e http://debian.mirror.example/debian/pool/main/i/isl/libisl23_0.25-1.1_amd64.deb /
ADD --link --checksum=sha256:0ed5b35dfd1346cccbf065408ec789db6c44c1d0a16ae84533411dea09632979 http://debian.mirror.example/debian/pool/main/g/gcc-12/libitm1_12.2.0-14%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:3fc9742f9f1a37bcb9931df6074b4d1483419ef832ad5349f47323e75fc27864 http://debian.mirror.example/debian/pool/main/j/jansson/libjansson4_2.14-2_amd64.deb /
ADD --link --checksum=sha256:a58c9ff6afe96c769cb6535754c909410760e4efa1e1540236194e489adcfb25 http://debian.mirror.example/debian/pool/main/n/node-jquery/libjs-jquery_3.6.1%2bdfsg%2b%7e3.5.14-1_all.deb /
ADD --link --checksum=sha256:93c0e211e0399659b224a49f86147bac4b2282b7e23fbfaa2edf990979cee59a http://debian.mirror.example/debian/pool/main/s/sphinx/libjs-sphinxdoc_5.3.0-4_all.deb /
ADD --link --checksum=sha256:4a0fbc90e7f62ea50c4ac7453352721fa60bb5eac87e9f39a027908faff29015 http://debian.mirror.example/debian/pool/main/u/underscore/libjs-underscore_1.13.4%7edfsg%2b%7e1.11.4-3_all.deb /
ADD --link --checksum=sha256:af63bbbfc15fbd1f254b15c393b3b95b18b18cc81348fc1b4f1c9c34b4d672d7 http://debian.mirror.example/debian/pool/main/k/kmod/libkmod2_30%2b20221128-1_amd64.deb /
ADD --link --checksum=sha256:4b6c30f6554149c594628d945edc6003f0eea8d0cc1341638c0e71375db147ed http://debian.mirror.example/debian/pool/main/o/openldap/libldap-2.5-0_2.5.13%2bdfsg-5_amd64.deb /
ADD --link --checksum=sha256:d234ab339c0ba31a4fb44e2334cf5a8d15b87f2c2f9e74fadfaa877f92dcf22a http://debian.mirror.example/debian/pool/main/g/gcc-12/liblsan0_12.2.0-14%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:4581f42e3373cb72f9ea4e88163b17873afca614a6c6f54637e95aa75983ea7c http://debian.mirror.example/debian/pool/main/libm/libmnl/libmnl0_1.0.4-3_amd64.deb /
ADD --link --checksum=sha256:d7f79544790e44f9b0c8cb9034a18c58d37f8702a15f32539050718679e52f80 http://debian.mirror.example/debian/pool/main/m/mpclib3/libmpc3_1.3.1-1_amd64.deb /
ADD --link --checksum=sha256:37b7a2b4e78890b6a074777f27b96c84f58e81558ba08410c2b6c0ca4a4ad77b http://debian.mirror.example/debian/pool/main/m/mpfr4/libmpfr6_4.2.0-1_amd64.deb /
ADD --link --checksum=sha256:533a38220c7f2a38a1130f5f80033d1a07723880fa352299b22a10ba99ce826e http://debian.mirror.example/debian/pool/main/m/munge/libmunge2_0.5.15-2%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:5a5736cee57e51c1baed869979e6ecdbc6495e939e33203d6cfe3b6e5a149e3f http://debian.mirror.example/debian/pool/main/n/nghttp2/libnghttp2-14_1.52.0-1%2bdeb12u3_amd64.deb /
ADD --link --checksum=sha256:d1fc3e9eb8e79b4c96b0a64c3d8c9e068ae2f665cab71bd19f417ffd0453a890 http://debian.mirror.example/debian/pool/main/libn/libnl3/libnl-3-200_3.7.0-0.2%2bb1_amd64.deb /
ADD --link --checksum=sha256:ab12c34743d146474498eef5a5d2754c0163ac068d95add188b94d8e8f0444f7 http://debian.mirror.example/debian/pool/main/libn/libnl3/libnl-3-dev_3.7.0-0.2%2bb1_amd64.deb /
ADD --link --checksum=sha256:0fdcc425ae2982788c085c76a7cb0eda3e3db99d41bd1ce56082ee18e9f1e21f http://debian.mirror.example/debian/pool/main/libn/libnl3/libnl-route-3-200_3.7.0-0.2%2bb1_amd64.deb /
ADD --link --checksum=sha256:88e6165204e45e0e53eec318b1feeb700bfe3ef346fc893d7c3155bdc322aa63 http://debian.mirror.example/debian/pool/main/libn/libnl3/libnl-route-3-dev_3.7.0-0.2%2bb1_amd64.deb /
ADD --link --checksum=sha256:bb81a188c119cd7fdebae723cbc95887b6c549b2fe4fb7e268a9c8846444da99 http://debian.mirror.example/debian/pool/main/libn/libnsl/libnsl-dev_1.3.0-2_amd64.deb /
ADD --link --checksum=sha256:639e1ab6bd66ead40db8a22c332d7199679fa22db261cac34444eb8eb4c17dda http://debian.mirror.example/debian/pool/main/n/numactl/libnuma1_2.0.16-1_amd64.deb /
ADD --link --checksum=sha256:5faee5796803be77183ac34e50a9c30fe4a68eeffa08e8f118ae0d2cdc87ef1a http://debian.mirror.example/debian/pool/main/libo/libopencsd/libopencsd1_1.3.3-1_amd64.deb /
ADD --link --checksum=sha256:acbb84293aa092a49a457a724d293ff0bcceabf297f2828ef9e8cad08b28fc99 http://debian.mirror.example/debian/pool/main/o/openmpi/libopenmpi3_4.1.4-3%2bb1_amd64.deb /
ADD --link --checksum=sha256:4025f3608cf431c163efb94fdc553e7b93e16b8f0d741ea87762e19025ffc80e http://debian.mirror.example/debian/pool/main/libp/libpciaccess/libpciaccess0_0.17-2_amd64.deb /
ADD --link --checksum=sha256:fe19bbea5a23897618ef4c54b097366a834bd6c7157276ef4375d053ac2ecd1e http://debian.mirror.example/debian/pool/main/p/pmix/libpmix2_4.2.2-1%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:e82ba5d01929eafb8b9954606a3c38b0332a987c2b3432388b4ee7365e54deae http://debian.mirror.example/debian/pool/main/p/procps/libproc2-0_4.0.2-3_amd64.deb /
ADD --link --checksum=sha256:4f0d35610204e4e754b057748719744114621f2f6f4202d846c314860a981afb http://debian.mirror.example/debian/pool/main/libp/libpsl/libpsl5_0.21.2-1_amd64.deb /
ADD --link --checksum=sha256:872325ca09249b99e7cfe9e41da438b31084f32f969f80f85813482a4ae2ff37 http://debian.mirror.example/debian/pool/main/i/infinipath-psm/libpsm-infinipath1_3.3%2b20.604758e7-6.2_amd64.deb /
ADD --link --checksum=sha256:38ad6400906ae84345362aa366c7a1900e9cbcce06fb6ed35bf5dab414ec2939 http://debian.mirror.example/debian/pool/main/libp/libpsm2/libpsm2-2_11.2.185-2_amd64.deb /
ADD --link --checksum=sha256:ded769fd142b6a49f7f2eb9b27056a1340a96d99f7d96e5a0f449585d22c9602 http://debian.mirror.example/debian/pool/main/p/python3-defaults/libpython3-dev_3.11.2-1%2bb1_amd64.deb /
ADD --link --checksum=sha256:5737023cb469c012203bc6f4e6f522459d7561be499a69139df278785ec62129 http://debian.mirror.example/debian-security/pool/updates/main/p/python3.11/libpython3.11_3.11.2-6%2bdeb12u9_amd64.deb /
ADD --link --checksum=sha256:e9b4cc9172df9536f6bd637a69886ccccd18e7c648a89bed565a748affeef6d6 http://debian.mirror.example/debian-security/pool/updates/main/p/python3.11/libpython3.11-dev_3.11.2-6%2bdeb12u9_amd64.deb /
ADD --link --checksum=sha256:3f0c9a4c730da2fdab001cae596625438598fd2996d29d888feeb4c1cdc9011f http://debian.mirror.example/debian/pool/main/g/gcc-12/libquadmath0_12.2.0-14%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:16b18625834371d023b81477823074ea0d34c478d58dbef3f01107984f47d034 http://debian.mirror.example/debian/pool/main/r/rdma-core/librdmacm1_44.0-2_amd64.deb /
ADD --link --checksum=sha256:e1f69020dc2c466e421ec6a58406b643be8b5c382abf0f8989011c1d3df91c87 http://debian.mirror.example/debian/pool/main/r/rtmpdump/librtmp1_2.4%2b20151223.gitfa8646d.1-2%2bb2_amd64.deb /
ADD --link --checksum=sha256:d6f20408e2be92ebd9f5e3b1c1935b075efb3f03abb5f48f7b991a0ad3e2d6a5 http://debian.mirror.example/debian-security/pool/updates/main/c/cyrus-sasl2/libsasl2-2_2.1.28%2bdfsg-10%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:6c86ca8fe9a7d652e618874b8753b4b6ec6b42ed7649b3f388e38d0a99047ba5 http://debian.mirror.example/debian-security/pool/updates/main/c/cyrus-sasl2/libsasl2-modules-db_2.1.28%2bdfsg-10%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:5b3cecc829ef229125b340ccd2ca45ced75d24e9aa191912105016b1af94413f http://debian.mirror.example/debian/pool/main/s/slang2/libslang2_2.3.3-3_amd64.deb /
ADD --link --checksum=sha256:76c1d6cf19072ff358a3511f27ecbbab5cd2cfde3e1919e831420433952546ce http://debian.mirror.example/debian/pool/main/s/source-highlight/libsource-highlight-common_3.1.9-4.2_all.deb /
ADD --link --checksum=sha256:7da4b188acff10a18fb5547306a82b98909c44e09c3b72a1c573b035e0c45946 http://debian.mirror.example/debian/pool/main/s/source-highlight/libsource-highlight4v5_3.1.9-4.2%2bb3_amd64.deb /
ADD --link --checksum=sha256:fff72a194e493f88e100a2567e22472bb4ab828d429c2956965c6f2f134f1b3a http://debian.mirror.example/debian-security/pool/updates/main/libs/libssh2/libssh2-1_1.10.0-3%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:d28def6c23630432b57cb38a4c2fd67a79d4e0484027386ca6e8d6005c3d7a73 http://debian.mirror.example/debian/pool/main/g/gcc-12/libstdc%2b%2b-12-dev_12.2.0-14%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:03326473eed54ffa27efae19aa5d6aeb402930968f869f318445513093691d55 http://debian.mirror.example/debian/pool/main/libt/libtirpc/libtirpc-dev_1.3.3%2bds-1_amd64.deb /
ADD --link --checksum=sha256:06906663d644a75a1a836382ecd80b61461129c06f02935ce408b25809f6c958 http://debian.mirror.example/debian/pool/main/g/gcc-12/libtsan2_12.2.0-14%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:744f52adf00ffd45d44806b1c7e802a36bd27e479c9bc8457128fde357faa530 http://debian.mirror.example/debian/pool/main/g/gcc-12/libubsan1_12.2.0-14%2bdeb12u1_amd64.deb /
ADD --link --checksum=sha256:f636d9893abece6a62ff943102b0caebeea8ba05c110550f5c8e6f01b015d3b5 http://debian.mirror.example/debian/pool/main/u/ucx/libucx0_1.13.1-1_amd64.deb /
ADD --link --checksum=sha256:7b297868682836e4c87be349f17e4a56bc287586e3576503e84a5cb5485ce925 http://debian.mirror.example/debian/pool/main/libu/libunwind/libunwind8_1.6.2-3_amd64.deb /
ADD --link --checksum=sha256:d88c973e79fd9b65838d77624142952757e47a6eb1a58602acf0911cf35989f4 http://debian.mirror.example/debian/pool/main/libx/libx11/libx11-6_1.8.4-2%2bdeb12u2_amd64.deb /
ADD --link --checksum=sha256:987a848aeb1c358e4186368871b0526f10bb14c6b53214ab3bf8b69abb830191 http://debian.mirror.example/debian/pool/main/libx/libx11/libx11-data_1.8.4-2%2bdeb12u2_all.deb /
ADD --link --checksum=sha256:679db1c4579ec7c61079adeaae8528adeb2e4bf5465baa6c56233b995d714750 http://debian.mirror.example/debian/pool/main/libx/libxau/libxau6_1.0.9-1_amd64.deb /
ADD --link --checksum=sha256:fdc61332a3892168f3cc9cfa1fe9cf11a91dc3e0acacbc47cbc50ebaa234cc71 http://debian.mirror.example/debian/pool/main/libx/libxcb/libxcb1_1.15-1_amd64.deb /
ADD --link --checksum=sha256:ecb8536f5fb34543b55bb9dc5f5b14c9dbb4150a7bddb3f2287b7cab6e9d25ef http://debian.mirror.example/debian/pool/main/libx/libxdmcp/libxdmcp6_1.1.2-3_amd64.deb /
ADD --link --checksum=sha256:504b7be9d7df4f6f4519e8dd4d6f9d03a9fb911a78530fa23a692fba3058cba6 http://debian.mirror.example/debian/pool/main/libx/libxext/libxext6_1.3.4-1%2bb1_amd64.deb /
ADD --link --checksum=sha256:4460e39dda10a815881374217cde08474747cfa018358cd8612c14b390eff53b http://debian.mirror.example/debian/pool/main/libx/libxml2/libxml2_2.9.14%2bdfsg-1.3%7edeb12u6_amd64.deb /
ADD --link --checksum=sha256:6fc26e4b6069f4648692e0c225f580161e3b0c04e4bac1c616c8a418a9a9817d http://debian.mirror.example/debian/pool/main/libx/libxnvctrl/libxnvctrl0_525.85.05-3%7edeb12u1_amd64.deb /
ADD --link --checksum=sha256:cb841d66950a43af4a398625313d2f3da9065299c9738538de6c2c3495857040 http://debian.mirror.example/debian/pool/main/i/iptables/libxtables12_1.8.9-2_amd64.deb /
ADD --link --checksum=sha256:1b699a9cf27fd36f295b8f7615b73cea8d2d11d43c275c2aca1f4a7a7d14c4ea http://debian.mirror.example/debian-security/pool/updates/main/l/linux/linux-libc-dev_6.1.192-3_amd64.deb /
ADD --link --checksum=sha256:b305d33042097b18097f546a4958889160bcb47efaef82f52d7a4317ff22dc6e http://debian.mirror.example/debian-security/pool/updates/main/l/linux/linux-perf_6.1.192-3_amd64.deb /
ADD --link --checksum=sha256:e75fe14ee81334f52efe955aaaddac07d26f117bac60488ea19ea7a8b564e62c http://debian.mirror.example/debian/pool/main/n/ninja-build/ninja-build_1.11.1-2%7edeb12u1_amd64.deb /
ADD --link --checksum=sha256:a46c5dfc06fbf1bb44c4c00b58cfc3a202479f3dd99df99bda069e416abd592a http://debian.mirror.example/debian/pool/main/n/numactl/numactl_2.0.16-1_amd64.deb /
ADD --link --checksum=sha256:ddd8509c0430545173752bed272c7f44f8b5f7d125265b20456207aaefbb52c8 http://debian.mirror.example/debian/pool/main/o/ocl-icd/ocl-icd-libopencl1_2.3.1-1_amd64.deb /
ADD --link --checksum=sha256:555300f03e3c3b02d13dc1c44ece592728b790b71a0d138ebe695d4e267bf8bb http://debian.mirror.example/debian/pool/main/o/openmpi/openmpi-bin_4.1.4-3%2bb1_amd64.deb /
ADD --link --checksum=sha256:42c66fbf7746b44abfe1f4ff74c00bc272ad947ad65214b8610361695f8f7262 http://debian.mirror.example/debian/pool/main/o/openmpi/openmpi-common_4.1.4-3_all.deb /
ADD --link --checksum=sha256:42c250b8b9110382488c53c066a960bc564ddac2cb9e449f47b6cdbb5fc1cb60 http://debian.mirror.example/debian/pool/main/o/openssh/openssh-client_9.2p1-2%2bdeb12u10_amd64.deb /
ADD --link --checksum=sha256:57f9a506d96559b1ae49812a5dfc727f9afcd029d059bf38aac06b486efb6f32 http://debian.mirror.example/debian/pool/main/p/pdsh/pdsh_2.34-0.2_amd64.deb /
ADD --link --checksum=sha256:d9d0e75779cb79af869181f17b93c5c263a2b89cac6a0193c436160a4483ddc1 http://debian.mirror.example/debian/pool/main/p/procps/procps_4.0.2-3_amd64.deb /
ADD --link --checksum=sha256:74c35488ce04fd9a371522d2ef3ef3a3d0ba585d5afcb4ce4ec9c6a531377518 http://debian.mirror.example/debian/pool/main/p/python3-defaults/python3-dev_3.11.2-1%2bb1_amd64.deb /
ADD --link --checksum=sha256:a620b555f301860a08e30534c7e6f7d79818e5e1977bfec39a612e7003074318 http://debian.mirror.example/debian/pool/main/p/python3-stdlib-extensions/python3-distutils_3.11.2-3_all.deb /
ADD --link --checksum=sha256:4e7f5e01e49a0622d10db3d0995666a6ead6a369cd127a996e9a4f9e91696a51 http://debian.mirror.example/debian/pool/main/p/python3-stdlib-extensions/python3-lib2to3_3.11.2-3_all.deb /
ADD --link --checksum=sha256:cc373690a1cb469fb301b9fe0125048e3102f2e365d1b2d27cab091ec89fccdc http://debian.mirror.example/debian/pool/main/p/python-pip/python3-pip-whl_23.0.1%2bdfsg-1_all.deb /
ADD --link --checksum=sha256:0eb54da9f3d47e42a1be5dd8285def8bbc6e2556131b9c4ce3bd781dfc4b425a http://debian.mirror.example/debian/pool/main/s/setuptools/python3-setuptools-whl_66.1.1-1%2bdeb12u2_all.deb /
ADD --link --checksum=sha256:bc6c8b8c15ae53abfac54877fd2c830336112568f40ee57c75d5c78ebcf7f44a http://debian.mirror.example/debian/pool/main/p/python3-defaults/python3-venv_3.11.2-1%2bb1_amd64.deb /
ADD --link --checksum=sha256:f222beb47ebc306c00c5ed1cb1e6db246b4bfb908770299eba46a0309c186944 http://debian.mirror.example/debian-security/pool/updates/main/p/python3.11/python3.11-dev_3.11.2-6%2bdeb12u9_amd64.deb /
ADD --link --checksum=sha256:b4d34b92e980d27480f05d91d9571f5d4bd920baeb22d2e64630fe99156b2b68 http://debian.mirror.example/debian-security/pool/updates/main/p/python3.11/python3.11-venv_3.11.2-6%2bdeb12u9_amd64.deb /
ADD --link --checksum=sha256:c2451f269d558cc92f05d8280b08b25cd3e03a6a4916c4c91005cb9618458439 http://debian.mirror.example/debian/pool/main/r/rdma-core/rdma-core_44.0-2_amd64.deb /
ADD --link --checksum=sha256:32ac0692694f8a34cc90c895f4fc739680fb2ef0e2d4870a68833682bf1c81a3 http://debian.mirror.example/debian/pool/main/r/rpcsvc-proto/rpcsvc-proto_1.4.3-1_amd64.deb /
ADD --link --checksum=sha256:777e9ae0d51a74879fcba7798444b63653ee2e4ff685434e30333155763b198e http://debian.mirror.example/debian/pool/main/n/netkit-rsh/rsh-client_0.17-24_amd64.deb /
ADD --link --checksum=sha256:e0e66f783996ec4670ed5041c446160ec671c723d4be47d3bc27af93c2958a76 http://debian.mirror.example/debian/pool/main/s/sensible-utils/sensible-utils_0.0.17%2bnmu1_all.deb /
ADD --link --checksum=sha256:928f2d5d327ef0f8d1b9c03a506134f56564cd2acf3e9f041df3dbdc68b00525 http://debian.mirror.example/debian/pool/main/u/ucf/ucf_3.0043%2bnmu1%2bdeb12u1_all.deb /
ADD --link --checksum=sha256:7593d55752f2d7f20fefc5564ead8b10a536bc945f96d942e1c976f2154281cb http://debian.mirror.example/debian/pool/main/s/systemd/udev_252.39-1%7edeb12u2_amd64.deb /
ADD --link --checksum=sha256:2092c7bb95334a28ed29630fdcaf0f11a92a5859922318a23bbcd6aa4fbcbf5c http://debian.mirror.example/debian/pool/main/v/vim/vim-common_9.0.1378-2%2bdeb12u2_all.deb /
ADD --link --checksum=sha256:168abe22ba74ba3fc1adbd7fdbed5c53903d98bab48f760216157bd0331a7a3f http://debian.mirror.example/debian/pool/main/v/vim/vim-tiny_9.0.1378-2%2bdeb12u2_amd64.deb /
ADD --link --checksum=sha256:f9ce531f60cbd5df37996af9370e0171be96902a17ec2bdbd8d62038c354094f http://debian.mirror.example/debian/pool/main/z/zlib/zlib1g-dev_1.2.13.dfsg-1_amd64.deb /

FROM builder-base AS builder
RUN --network=none \
    --mount=type=bind,from=fetch-builder,target=/files \
    --mount=type=bind,source=stages/install_uv.py,target=/stages/install_uv.py \
    ["python3", "-B", "-s", "/stages/install_uv.py"]

FROM builder AS root-environment
RUN --network=none \
    --mount=type=bind,from=fetch-environment,target=/files \
    --mount=type=bind,source=layouts/environment.json,target=/layout.json \
    --mount=type=bind,source=stages/make_root.py,target=/stages/make_root.py \
    --mount=type=bind,source=stages/normalise.py,target=/stages/normalise.py \
    ["env", "OUT=/out/5e0dad1644eb", "python3", "-B", "-s", "/stages/make_root.py"]

FROM builder AS root-cuda
RUN --network=none \
    --mount=type=bind,from=fetch-cuda,target=/files \
    --mount=type=bind,source=layouts/cuda.json,target=/layout.json \
    --mount=type=bind,source=stages/make_root.py,target=/stages/make_root.py \
    --mount=type=bind,source=stages/normalise.py,target=/stages/normalise.py \
    ["env", "OUT=/out/877b6cbdf8ac", "python3", "-B", "-s", "/stages/make_root.py"]

FROM builder AS root-cudnn
RUN --network=none \
    --mount=type=bind,from=fetch-cudnn,target=/files \
    --mount=type=bind,source=layouts/cudnn.json,target=/layout.json \
    --mount=type=bind,source=stages/make_root.py,target=/stages/make_root.py \
    --mount=type=bind,source=stages/normalise.py,target=/stages/normalise.py \
    ["env", "OUT=/out/48248b6dc116", "python3", "-B", "-s", "/stages/make_root.py"]

FROM builder AS root-nccl
RUN --network=none \
    --mount=type=bind,from=fetch-nccl,target=/files \
    --mount=type=bind,source=layouts/nccl.json,target=/layout.json \
    --mount=type=bind,source=stages/make_root.py,target=/stages/make_root.py \
    --mount=type=bind,source=stages/normalise.py,target=/stages/normalise.py \
    ["env", "OUT=/out/0a9b97f92ef6", "python3", "-B", "-s", "/stages/make_root.py"]

FROM builder AS root-torch
RUN --network=none \
    --mount=type=bind,from=fetch-torch,target=/files \
    --mount=type=bind,source=layouts/torch.json,target=/layout.json \
    --mount=type=bind,source=stages/make_root.py,target=/stages/make_root.py \
    --mount=type=bind,source=stages/normalise.py,target=/stages/normalise.py \
    ["env", "OUT=/out/3b8d7fced914", "python3", "-B", "-s", "/stages/make_root.py"]

FROM builder AS root-accelerate
RUN --network=none \
    --mount=type=bind,from=fetch-accelerate,target=/files \
    --mount=type=bind,source=layouts/accelerate.json,target=/layout.json \
    --mount=type=bind,source=stages/make_root.py,target=/stages/make_root.py \
    --mount=type=bind,source=stages/normalise.py,target=/stages/normalise.py \
    ["env", "OUT=/out/fdcb9b568e7b", "python3", "-B", "-s", "/stages/make_root.py"]

FROM builder AS root-debug
RUN --network=none \
    --mount=type=bind,from=fetch-debug,target=/files \
    --mount=type=bind,source=layouts/debug.json,target=/layout.json \
    --mount=type=bind,source=stages/make_root.py,target=/stages/make_root.py \
    --mount=type=bind,source=stages/normalise.py,target=/stages/normalise.py \
    ["env", "OUT=/out/f7d6db1f330a", "python3", "-B", "-s", "/stages/make_root.py"]

FROM builder AS wheel-deepspeed
RUN --network=none \
    --mount=type=bind,from=fetch-deepspeed-sdist,target=/files \
    --mount=type=bind,source=stages/build_wheel.py,target=/stages/build_wheel.py \
    ["env", "NAME=deepspeed", "VERSION=0.15.4", "python3", "-B", "-s", "/stages/build_wheel.py"]

FROM builder AS root-entrypoint
RUN --network=none \
    --mount=type=bind,source=layouts/entrypoint.json,target=/layout.json \
    --mount=type=bind,source=stages/make_root.py,target=/stages/make_root.py \
    --mount=type=bind,source=stages/normalise.py,target=/stages/normalise.py \
    ["env", "OUT=/out/18e24677d6df", "python3", "-B", "-s", "/stages/make_root.py"]

FROM builder AS root-megatron-core
RUN --network=none \
    --mount=type=bind,from=fetch-megatron-core,target=/files \
    --mount=type=bind,source=layouts/megatron-core.json,target=/layout.json \
    --mount=type=bind,source=stages/make_root.py,target=/stages/make_root.py \
    --mount=type=bind,source=stages/normalise.py,target=/stages/normalise.py \
    ["env", "OUT=/out/fe7b55df84bc", "python3", "-B", "-s", "/stages/make_root.py"]

FROM builder AS root-transformers
RUN --network=none \
    --mount=type=bind,from=fetch-transformers,target=/files \
    --mount=type=bind,source=layouts/transformers.json,target=/layout.json \
    --mount=type=bind,source=stages/make_root.py,target=/stages/make_root.py \
    --mount=type=bind,source=stages/normalise.py,target=/stages/normalise.py \
    ["env", "OUT=/out/d127f5a7bb85", "python3", "-B", "-s", "/stages/make_root.py"]

FROM builder AS root-shared
RUN --network=none \
    --mount=type=bind,from=fetch-shared,target=/files \
    --mount=type=bind,source=layouts/shared.json,target=/layout.json \
    --mount=type=bind,source=stages/make_root.py,target=/stages/make_root.py \
    --mount=type=bind,source=stages/normalise.py,target=/stages/normalise.py \
    ["env", "OUT=/out/e79eaef49db0", "python3", "-B", "-s", "/stages/make_root.py"]

FROM builder AS root-prefix
RUN --network=none \
    --mount=type=bind,source=layouts/prefix.json,target=/layout.json \
    --mount=type=bind,source=stages/make_root.py,target=/stages/make_root.py \
    --mount=type=bind,source=stages/normalise.py,target=/stages/normalise.py \
    ["env", "OUT=/out/a1be99cfd8d8", "python3", "-B", "-s", "/stages/make_root.py"]

FROM base AS root-system-installed
RUN --network=none \
    --mount=type=bind,from=fetch-system,target=/files \
    --mount=type=bind,source=stages/install_debs.sh,target=/stages/install_debs.sh \
    ["env", "SOURCE_DATE_EPOCH=1795781544", "sh", "/stages/install_debs.sh"]

FROM builder AS root-system
RUN --network=none \
    --mount=type=bind,from=base,target=/lower \
    --mount=type=bind,from=root-system-installed,target=/upper \
    --mount=type=bind,source=stages/system_root.py,target=/stages/system_root.py \
    --mount=type=bind,source=stages/normalise.py,target=/stages/normalise.py \
    ["env", "OUT=/out/2140350d4baf", "SOURCE_DATE_EPOCH=1795781544", "python3", "-B", "-s", "/stages/system_root.py"]

FROM builder AS root-deepspeed
RUN --network=none \
    --mount=type=bind,from=fetch-deepspeed,target=/files \
    --mount=type=bind,from=wheel-deepspeed,source=/dist,target=/built/wheel-deepspeed \
    --mount=type=bind,source=layouts/deepspeed.json,target=/layout.json \
    --mount=type=bind,source=stages/make_root.py,target=/stages/make_root.py \
    --mount=type=bind,source=stages/normalise.py,target=/stages/normalise.py \
    ["env", "OUT=/out/307b7afdcafb", "python3", "-B", "-s", "/stages/make_root.py"]

FROM builder AS verify
RUN --network=none \
    --mount=type=bind,from=base,target=/base \
    --mount=type=bind,from=root-torch,source=/out/3b8d7fced914,target=/roots/00-root-torch \
    --mount=type=bind,from=root-cuda,source=/out/877b6cbdf8ac,target=/roots/01-root-cuda \
    --mount=type=bind,from=root-cudnn,source=/out/48248b6dc116,target=/roots/02-root-cudnn \
    --mount=type=bind,from=root-nccl,source=/out/0a9b97f92ef6,target=/roots/03-root-nccl \
    --mount=type=bind,from=root-shared,source=/out/e79eaef49db0,target=/roots/04-root-shared \
    --mount=type=bind,from=root-transformers,source=/out/d127f5a7bb85,target=/roots/05-root-transformers \
    --mount=type=bind,from=root-debug,source=/out/f7d6db1f330a,target=/roots/06-root-debug \
    --mount=type=bind,from=root-deepspeed,source=/out/307b7afdcafb,target=/roots/07-root-deepspeed \
    --mount=type=bind,from=root-environment,source=/out/5e0dad1644eb,target=/roots/08-root-environment \
    --mount=type=bind,from=root-megatron-core,source=/out/fe7b55df84bc,target=/roots/09-root-megatron-core \
    --mount=type=bind,from=root-system,source=/out/2140350d4baf,target=/roots/10-root-system \
    --mount=type=bind,from=root-accelerate,source=/out/fdcb9b568e7b,target=/roots/11-root-accelerate \
    --mount=type=bind,from=root-entrypoint,source=/out/18e24677d6df,target=/roots/12-root-entrypoint \
    --mount=type=bind,from=root-prefix,source=/out/a1be99cfd8d8,target=/roots/13-root-prefix \
    --mount=type=bind,source=stages/verify_roots.py,target=/stages/verify_roots.py \
    --mount=type=bind,source=stages/normalise.py,target=/stages/normalise.py \
    ["env", "OUT=/out/c9a14141f769", "python3", "-B", "-s", "/stages/verify_roots.py"]

FROM base AS image
COPY --link --from=root-torch /out/3b8d7fced914/ /
COPY --link --from=root-cuda /out/877b6cbdf8ac/ /
COPY --link --from=root-cudnn /out/48248b6dc116/ /
COPY --link --from=root-nccl /out/0a9b97f92ef6/ /
COPY --link --from=root-shared /out/e79eaef49db0/ /
COPY --link --from=root-transformers /out/d127f5a7bb85/ /
COPY --link --from=root-debug /out/f7d6db1f330a/ /
COPY --link --from=root-deepspeed /out/307b7afdcafb/ /
COPY --link --from=root-environment /out/5e0dad1644eb/ /
COPY --link --from=root-megatron-core /out/fe7b55df84bc/ /
COPY --link --from=root-system /out/2140350d4baf/ /
COPY --link --from=root-accelerate /out/fdcb9b568e7b/ /
COPY --link --from=root-entrypoint /out/18e24677d6df/ /
COPY --link --from=root-prefix /out/a1be99cfd8d8/ /
COPY --link --from=verify /out/c9a14141f769/ /
ENV LC_ALL="C.UTF-8"
ENV NVIDIA_DRIVER_CAPABILITIES="compute,utility"
ENV NVIDIA_VISIBLE_DEVICES="all"
ENV OMPI_ALLOW_RUN_AS_ROOT="1"
ENV OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1"
ENV PATH="/opt/xpu/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
ENV PYTHONUNBUFFERED="1"
LABEL org.opencontainers.image.version="24.11"
LABEL org.xpubuild.edition="cuda"
LABEL org.xpubuild.keys="sha256:82c6d29c890fdf01843f942f5182eba3519f4332906bdbe01626b9c4508d7f2f"
LABEL org.xpubuild.lock="sha256:fc14944f5c37c14f433add1082b009c381db19cf1142b25dfd951b8c2cf59392"
LABEL org.xpubuild.release="24.11"
ENTRYPOINT ["/opt/xpu/bin/xpu-entrypoint"]
CMD ["bash"]
