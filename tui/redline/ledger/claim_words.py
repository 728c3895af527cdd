"""Words of statements, English and Chinese, by what they mean: one concept for all its names.

What two statements are about is compared by these concepts, so a word is only listed where both
names can stand for the same thing in every sentence. A word that is not listed stands for itself.
"""

from __future__ import annotations

from redline.patterns import lazy

_CONCEPTS = """
    port: ports 端口号 端口 listen listens listening listened 监听
    timeout: timeouts time-out 超时时间 超时
    prefix: prefixes 前缀
    suffix: 后缀
    ticket: tickets 工单号 工单 单号
    code: 代码
    retry: retries retried retrying retry-count 重试次数 重试
    limit: limits 限额 限制
    quota: quotas 配额
    database: databases db dbs 数据库 库
    server: servers 服务器
    service: services 服务
    endpoint: endpoints 端点 接口
    api: apis
    version: versions 版本号 版本
    branch: branches 分支
    goal: goals 目标
    deadline: deadlines due due-date 截止日期 截止时间 截止日 截止 期限
    staging: stage 预发布环境 预发环境 预发布 预发
    production: prod 生产环境 线上环境 正式环境 生产 线上
    testing: 测试环境
    development: dev 开发环境
    test: tests 测试
    unittest: unittests
    frontend: front-end 前端
    backend: back-end 后端
    billing: 计费
    payment: payments 支付
    order: orders 订单
    login: log-in sign-in signin 登录 登陆
    user: users 用户
    cache: caches caching 缓存
    queue: queues 队列
    log: logs logging 日志
    level: levels 级别
    loglevel: log-level
    worker: workers 工作进程
    thread: threads 线程
    connection: connections 连接
    pool: pools 池
    size: sizes 大小
    memory: 内存
    disk: 磁盘
    replica: replicas 副本
    instance: instances 实例
    node: nodes 节点
    cluster: clusters 集群
    region: regions 区域 地域
    bucket: buckets 存储桶 桶
    config: configs configuration configurations 配置文件 配置
    file: files 文件
    folder: folders directory directories dir dirs 文件夹 目录
    path: paths 路径
    document: documents docs doc documentation 文档
    script: scripts 脚本
    migration: migrations 迁移
    schema: schemas 表结构
    table: tables 数据表
    field: fields 字段
    token: tokens 令牌
    session: sessions 会话
    request: requests req reqs 请求
    response: responses 响应
    batch: batches 批次 批量 批
    interval: intervals 间隔
    rate: rates 速率
    minute: minutes min mins 分钟
    upload: uploads 上传
    download: downloads 下载
    backup: backups 备份
    retention: 保留期
    deploy: deploys deployment deployments deployed deploying 部署
    release: releases released releasing 发布 发版
    build: builds building built 构建
    lint: linting linter
    format: formats formatter formatting formatted 格式化 格式
    package: packages 包
    manager: managers 管理器
    dependency: dependencies deps 依赖
    feature: features 功能
    flag: flags 开关
    mode: modes 模式
    dark: 深色 暗色
    debug: 调试
    strict: 严格
    owner: owners 负责人
    reviewer: reviewers 评审人 审核人
    line: lines 行
    length: lengths 长度 行宽
    width: widths 宽度
    coverage: 覆盖率
    threshold: thresholds 阈值
    indent: indentation indents 缩进
    space: spaces 空格
    comment: comments 注释
    commit: commits 提交
    message: messages 信息 消息
    answer: answers reply replies respond 回答 回复
    word: words 字
    meeting: meetings 会议
    demo: 演示
    review: reviews 评审 审核
    budget: budgets 预算
    price: prices 价格
    currency: 货币
    timezone: time-zone 时区
    language: languages 语言
    theme: themes 主题
    default: defaults 默认
    host: hosts hostname 主机
    domain: domains 域名
    url: urls 地址
    key: keys 密钥
    name: names named called 名字 名称
    password: passwords 密码
    email: emails e-mail 邮件 邮箱
    proxy: proxies 代理
    gateway: gateways 网关
    storage: 存储
    search: 搜索
    page: pages 分页 页
    framework: 框架
    repository: repositories repo repos 仓库
    module: modules 模块
    team: teams 团队
    project: projects 项目
    customer: customers 客户
    invoice: invoices 发票
    report: reports reporting 报表 报告
    notification: notifications 通知
    scheduler: 调度器
    pipeline: pipelines 流水线
    image: images 镜像
    container: containers 容器
    artifact: artifacts 产物
    push: pushes pushed pushing 推送
    merge: merges merged merging 合并
    max: maximum most 最大 最多 上限 不超过 以内
    min: minimum least floor 最小 最少 至少 下限 不少于
    ttl: 有效期 过期时间 过期
    concurrency: 并发数 并发
    attempt: attempts
"""
# Words that say nothing of what a statement is about, and verbs that only set a value.
_SOFT_WORDS = """
    a an the this that these those it its it's that's there here is are was were be been being am
    isn't do does did done will would shall should must may might can could have has had having
    'll 've 're 's i we you he she they me us them my our your their his her who which what and or
    but so then also just please pls plz now currently today again still already really to of on
    in at by for from with into onto as than via per about over up down out off through set sets
    setting change changes changed changing make makes made making bump bumps bumped bumping raise
    raised raising lower lowered lowering increase increased decrease decreased reduce reduced
    move moves moved moving update updated updates updating switch switched switching adjust
    adjusted ever put keep keeps kept use uses used using run runs running go goes going gone live
    lives living sit sits sat get gets got let let's lets want wants need needs wanted needed use
    value values number numbers count amount total become becomes became located location found
    stored stays stay remain remains remained serve serves served bound bind binds expose exposed
    exposes point points pointed pointing pick picked chosen choose call new current currently
    instead actually rather sorry oops correction ok okay yes no wait hmm well right fine sure
    remember note fyi btw heads-up reminder exactly only about around approximately roughly always
    never not don't doesn't won't ought supposed expected target targets allow allows allowed
    accept accepts permitted cap capped caps time times long later tomorrow one decided decision
    agreed think thinks guess turns turned went goes gone out end ended ends start started said
    say told tell meant mean means if because since all any every some more less each please
    everything anything thanks thank hereby hence given slip slips slipped extend extended
    postpone postponed delay delayed reschedule rescheduled brought forward back went dropped drop
    scratch forget ignore after before under below above exceed exceeding than up until
"""
# Of those the ones that change what a statement says when they stand in it: they stay.
_TELLING = "only all any every each more less if because after before until new"
_ACTING = """
    set sets setting change changes changed changing make makes made making bump bumps bumped
    bumping raise raised raising lower lowered lowering increase increased decrease decreased
    reduce reduced move moves moved moving update updated updates updating switch switched
    switching adjust adjusted put keep keeps kept use uses used using run runs running call called
    point pointed pointing pick picked drop dropped ignore forget start started end ended stay
    stays allow allows accept accepts value values number numbers count amount total
"""
SOFT = frozenset(_SOFT_WORDS.split()) - frozenset(_TELLING.split()) | {"的"}
ENVIRONMENTS = frozenset(("staging", "production", "testing", "development", "local", "ci"))
# Nouns that may go without saying where the rest names the thing.
GENERIC = frozenset(
    (
        "page",
        "service",
        "server",
        "system",
        "component",
        "app",
        "tool",
        "job",
        "code",
        "process",
        "machine",
        "box",
        "instance",
        "host",
        "application",
        "project",
        "file",
    )
)
_OWNING_WORDS = """
    owner own reviewer lead contact person responsible charge accountable maintain
    maintainer dri manag handl look after care hand handed assign assigned reassign
    pass transfer transferr take takes took taken taking over belong ownership
    responsibility give gave given giv review on-call oncall ask question pick
    officially job baby area task 找 换 负 责 接 手 管 理 交 转 维 护
"""
OWNING = frozenset(_OWNING_WORDS.split())
_SOFT_HAN = (
    "改名为|改名叫|减到|减为|加到|增加到|减少到|缩到|开到|环境|改写到|写到|写在|不用|不是|别用"
    "|不再用|不再|我们|咱们|大家|你们|他们|现在|现已|目前|以后|今后"
    "|从现在|返回|只能|只|之前|完成|开始|已经|已(?=[改换迁移升降调转交])|还是|就是|应该|需要|必须|可以"
    "|请把|请|麻烦|帮我|一下|这个|那个|这边|那边|其实|不对|等等"
    "|等一下|更正|改名|纠正|记住|注意|顺便|另外说|改成了|改成|改为|改到|改用|换成了|换成|换为|换到"
    "|变成了|变成|变为|调成|调到|调整为|调整到|调高到|调低到"
    "|提高到|降到|降低到|升级到|升到|升级为|设置为|设置成|设为|设成|设置|设定为|定为|定在|定成|搬到"
    "|移到|迁移到|迁到|挪到|放到|放在|推迟到|提前到"
    "|延期到|延到|位于|存放在|存在|跑在|运行在|部署在|使用|采用|统一用|统一|一律|就用|用的是|用"
    "|是在|是|在|为|到|把|将|的|了|吧|啊|呢|哦|嘛|都|就|要"
    "|得|该|会|能|我|你|它|给|对|跟|和|与|从|来|去|上面|里面|上(?![午海游级层行一个次周月])"
    "|下(?![午游级层行一个次周月])|里|中|那|这|个|号|次数|次|值|数|由|归|被|改|换|变|叫|请求数|设"
    "|走|每次|先|再|好|嗯|说错"
)
TOOLS_BY_CATEGORY = """
    js-packages: npm pnpm yarn bun
    py-packages: pip poetry uv pipenv conda pdm hatch rye
    test-runner: pytest unittest nose jest vitest mocha ava jasmine junit testng rspec minitest
    browser-tests: playwright cypress selenium puppeteer webdriver
    formatter: black prettier yapf autopep8 gofmt rustfmt biome ruff dprint
    linter: ruff flake8 pylint eslint tslint golangci-lint rubocop biome oxlint
    types: mypy pyright pyre
    sql-database: postgres postgresql mysql mariadb sqlite oracle cockroachdb
    document-database: mongodb mongo couchdb dynamodb
    cache-store: redis memcached valkey dragonfly
    broker: kafka rabbitmq nats sqs pulsar
    web-framework: flask fastapi django express koa fastify rails sinatra
    ui-framework: react vue svelte angular solid preact
    bundler: webpack vite rollup esbuild parcel turbopack
    ci: jenkins circleci travis buildkite github-actions gitlab-ci
    cloud: aws gcp azure
    orm: sqlalchemy prisma typeorm sequelize drizzle
    http-client: requests httpx aiohttp axios
    search-engine: elasticsearch opensearch meilisearch solr
    charts: matplotlib plotly seaborn recharts d3
    css: tailwind bootstrap bulma
    shell: bash zsh fish
    container-tool: docker podman
    iac: terraform pulumi ansible
    chat: slack discord teams
    coding-language: python typescript javascript rust go golang java kotlin ruby swift
    state: redux zustand mobx jotai
    web-server: nginx caddy apache traefik
    monitoring: grafana datadog prometheus newrelic
    docs-tool: sphinx mkdocs docusaurus
    logger: loguru structlog winston pino
"""
LANGUAGES = {
    name: first
    for line in """
        english 英文 英语
        chinese 中文 汉语 mandarin 简体中文
        german 德语 德文
        french 法语 法文
        spanish 西班牙语
        japanese 日语 日文
        korean 韩语 韩文
        portuguese
        italian
        russian 俄语
    """.strip().splitlines()
    for first, *_ in (line.split(),)
    for name in line.split()
}


def _table(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in text.strip().splitlines():
        concept, _, names = line.partition(":")
        for name in (concept.strip(), *names.split()):
            found[name] = concept.strip()
    return found


CONCEPT = _table(_CONCEPTS)
CATEGORY: dict[str, frozenset[str]] = {}
for _line in TOOLS_BY_CATEGORY.strip().splitlines():
    _category, _, _names = _line.strip().partition(":")
    for _each in _names.split():
        CATEGORY[_each] = CATEGORY.get(_each, frozenset()) | {_category}
ATTRIBUTES = frozenset(
    """
    ticket
    port timeout retry limit quota version branch deadline level loglevel size region bucket path
    folder url host domain key timezone language theme default format mode interval rate threshold
    length width coverage budget price currency ttl concurrency owner reviewer database schema
    password email prefix suffix name endpoint database framework image channel color colour
    license database target schedule cadence frequency plan tier entrypoint entry
    """.split()  # noqa: SIM905
)
DIRECTIONAL = frozenset(
    "from to into between depends imports sends → -> before after 从 到 调用 依赖".split()  # noqa: SIM905
)
_han = sorted((name for name in CONCEPT if not name.isascii()), key=len, reverse=True)
_languages = "|".join(sorted((n for n in LANGUAGES if not n.isascii()), key=len, reverse=True))
# One run of Chinese characters in pieces: a language, a concept, a word that says nothing, or one
# character.
HAN_PIECE = lazy(
    f"(?P<language>{_languages})|(?P<concept>{'|'.join(_han)})|(?P<soft>{_SOFT_HAN})|(?P<rest>.)"
)
