-- A shop as pg_dump writes one: types and sequences first, constraints last, one table in partitions.
SET client_encoding = 'UTF8';
CREATE TYPE public.order_status AS ENUM ('open', 'paid', 'sent', 'cancelled');
CREATE DOMAIN public.email AS text CHECK (VALUE LIKE '%@%');
CREATE SEQUENCE public.customer_id_seq START WITH 1 INCREMENT BY 1;

CREATE TABLE public.customer (
    customer_id integer DEFAULT nextval('public.customer_id_seq'::regclass) NOT NULL,
    email public.email NOT NULL,
    name character varying(80) NOT NULL,
    joined date DEFAULT CURRENT_DATE NOT NULL
);
ALTER TABLE public.customer OWNER TO shop;

CREATE TABLE public.product (
    product_id integer NOT NULL,
    title text NOT NULL,
    price numeric(8,2) NOT NULL,
    price_with_tax numeric(8,2) GENERATED ALWAYS AS (round(price * 1.2, 2)) VIRTUAL,
    tags text[],
    details jsonb
);

CREATE TABLE public.orders (
    order_id bigint NOT NULL,
    customer_id integer NOT NULL,
    placed_at timestamp with time zone DEFAULT now() NOT NULL,
    status public.order_status DEFAULT 'open'::public.order_status NOT NULL
);

CREATE TABLE public.order_line (
    order_id bigint NOT NULL,
    line_no smallint NOT NULL,
    product_id integer NOT NULL,
    quantity integer NOT NULL
);

CREATE TABLE public.payment (
    payment_id bigint NOT NULL,
    order_id bigint NOT NULL,
    paid_on date NOT NULL,
    amount numeric(8,2) NOT NULL
) PARTITION BY RANGE (paid_on);
CREATE TABLE public.payment_2025 PARTITION OF public.payment FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
CREATE TABLE public.payment_2026 (
    payment_id bigint NOT NULL,
    order_id bigint NOT NULL,
    paid_on date NOT NULL,
    amount numeric(8,2) NOT NULL
);
ALTER TABLE ONLY public.payment ATTACH PARTITION public.payment_2026 FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');

CREATE VIEW public.sales_by_day AS
 SELECT placed_at::date AS day, count(*) AS orders FROM public.orders GROUP BY placed_at::date;

ALTER TABLE ONLY public.customer ADD CONSTRAINT customer_pkey PRIMARY KEY (customer_id);
ALTER TABLE ONLY public.product ADD CONSTRAINT product_pkey PRIMARY KEY (product_id);
ALTER TABLE ONLY public.orders ADD CONSTRAINT orders_pkey PRIMARY KEY (order_id);
ALTER TABLE ONLY public.order_line ADD CONSTRAINT order_line_pkey PRIMARY KEY (order_id, line_no);
ALTER TABLE ONLY public.payment ADD CONSTRAINT payment_pkey PRIMARY KEY (payment_id, paid_on);
CREATE UNIQUE INDEX customer_by_email ON public.customer USING btree (email);
ALTER TABLE ONLY public.orders ADD CONSTRAINT orders_customer FOREIGN KEY (customer_id) REFERENCES public.customer(customer_id);
ALTER TABLE ONLY public.order_line ADD CONSTRAINT line_order FOREIGN KEY (order_id) REFERENCES public.orders(order_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.order_line ADD CONSTRAINT line_product FOREIGN KEY (product_id) REFERENCES public.product(product_id);
ALTER TABLE ONLY public.payment ADD CONSTRAINT payment_order FOREIGN KEY (order_id) REFERENCES public.orders(order_id);
