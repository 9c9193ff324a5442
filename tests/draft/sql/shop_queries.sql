-- 120/s
SELECT * FROM product WHERE product_id = $1;
-- 40/s
SELECT order_id, placed_at, status FROM orders WHERE customer_id = $1 ORDER BY placed_at DESC LIMIT 10;
-- 15/s
SELECT * FROM orders o JOIN order_line l ON l.order_id = o.order_id WHERE o.order_id = $1;
-- 2/s
SELECT * FROM customer WHERE email = $1;
-- 8/s
INSERT INTO orders (order_id, customer_id, placed_at, status) VALUES ($1, $2, $3, 'open');
SELECT product_id, sum(quantity) FROM order_line GROUP BY product_id;
